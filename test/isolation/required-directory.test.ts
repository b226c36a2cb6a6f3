// The working directory of a job with a required sandbox: an enqueuer must not choose what the sandbox mounts.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { newSandboxes, type Sandboxes } from './sandboxes.ts';

const WRITE = 'touch written; cat key; pwd';

/** Creates a directory with a file to protect, and a queue that requires `strict`. */
async function held(t: { after(work: () => void | Promise<void>): unknown }): Promise<Sandboxes> {
  const boxes = await newSandboxes(t);
  fs.mkdirSync(boxes.fleet.path('victim'), { mode: 0o700 });
  boxes.file('victim/key', 'hunter2');
  await boxes.fleet.cli.text('queue', 'set', 'held', '--sandbox', 'strict');
  return boxes;
}

const JOB = { queue: 'held', sandbox: null, max_retries: 0 };

describe('a working directory in a required sandbox', () => {
  test('is rejected unless an admin has allowed it, also through .. and links', async (t) => {
    const boxes = await held(t);
    const { cli } = boxes.fleet;
    fs.symlinkSync(boxes.fleet.path('victim'), path.join(boxes.work, 'link'));
    await boxes.fleet.set({ sandbox_directories: boxes.work });
    for (const cwd of [boxes.fleet.path('victim'), '/etc', '/usr', '/run', '/', 'work/..', 'work/link']) {
      const said = await cli.rejected(2, ['enqueue', '--queue', 'held', '--cwd', cwd, 'true']);
      assert.match(said, /is not in sandbox_directories/, cwd);
      await assert.rejects(boxes.fleet.add({ ...JOB, command: 'true', cwd }), /sandbox_directories/, cwd);
    }
    assert.equal(await cli.count(), 0);
  });

  test('is checked again at the start', async (t) => {
    const boxes = await held(t);
    await boxes.fleet.set({ sandbox_directories: boxes.fleet.path('*') });
    const place = boxes.fleet.path('place');
    fs.mkdirSync(place);
    const late = { ...JOB, command: WRITE, delay: 3600 };
    await boxes.fleet.add({ ...late, id: 'linked', cwd: place }, { ...late, id: 'edited', cwd: boxes.work });
    fs.rmdirSync(place);
    fs.symlinkSync('/usr', place);
    boxes.fleet.tamper("UPDATE jobs SET cwd = '/etc' WHERE id = 'edited'");
    await boxes.fleet.cli.text('run-now', 'linked', 'edited');
    for (const [id, real] of [
      ['linked', '/usr'],
      ['edited', '/etc'],
    ] as const) {
      await boxes.fleet.untilFinal(id);
      const [attempt] = await boxes.fleet.history(id);
      assert.equal(attempt?.outcome, 'not_started');
      if (boxes.canBeMade)
        assert.match(
          String(attempt?.error),
          new RegExp(`the working directory '${real}' is not in the setting sandbox_directories`),
        );
    }
  });

  test('is private if the job names none, and the directory of the shell is not mounted', async (t) => {
    const boxes = await held(t);
    const { cli } = boxes.fleet;
    const id = (await cli.sh(`cd victim && queuectl enqueue --print-id --max-retries 0 --queue held '${WRITE}'`))
      .stdout;
    const job = await boxes.fleet.untilFinal(id.trim());
    assert.equal(job.cwd, null);
    if (!boxes.canBeMade) return;
    assert.equal(job.state, 'completed');
    assert.doesNotMatch(await boxes.fleet.output(job.id), /hunter2/);
    assert.match(await boxes.fleet.output(job.id), /^\/tmp$/m);
    assert.deepEqual(fs.readdirSync(boxes.fleet.path('victim')), ['key']);
  });

  test('is used if an admin has allowed it, but not its subdirectories', async (t) => {
    const boxes = await held(t);
    await boxes.fleet.set({ sandbox_directories: `${boxes.work}; /nowhere` });
    fs.mkdirSync(path.join(boxes.work, 'below'));
    const ended = await boxes.run(WRITE, { ...JOB });
    assert.equal(ended?.job.cwd ?? boxes.work, boxes.work);
    const { stdout } = await boxes.fleet.cli.sh(`cd work && queuectl enqueue --print-id --queue held 'touch byshell'`);
    assert.equal((await boxes.fleet.untilFinal(stdout.trim())).cwd, fs.realpathSync(boxes.work));
    if (boxes.canBeMade) assert.deepEqual(fs.readdirSync(boxes.work).sort(), ['below', 'byshell', 'written']);
    const below = { ...JOB, command: 'true', cwd: path.join(boxes.work, 'below') };
    await assert.rejects(boxes.fleet.add(below), /sandbox_directories/);
    await boxes.fleet.set({ sandbox_directories: `${boxes.work}/*` });
    assert.equal((await boxes.fleet.add({ ...below, id: 'child' }))[0]?.id, 'child');
    await boxes.fleet.untilFinal('child');
  });

  test('is also checked for edits, moves and schedules, and for the global setting', async (t) => {
    const boxes = await held(t);
    const { cli } = boxes.fleet;
    await boxes.fleet.add({ id: 'a', command: 'true', cwd: '/usr', delay: 3600 });
    assert.match(await cli.rejected(2, ['move', 'a', '--queue', 'held']), /sandbox_directories/);
    await boxes.fleet.add({ id: 'b', queue: 'held', command: 'true', cwd: null, delay: 3600 });
    assert.match(await cli.rejected(2, ['edit', 'b', '--cwd', '/usr']), /sandbox_directories/);
    await boxes.fleet.set({ sandbox: 'strict' });
    const schedule = ['schedule', 'add', 's', '--every', '1h', '--cwd', '/usr', 'true'];
    assert.match(await cli.rejected(2, schedule), /sandbox_directories/);
    assert.match(await cli.rejected(2, ['enqueue', '--cwd', '/usr', 'true']), /sandbox_directories/);
    await cli.text('queue', 'set', 'free', '--sandbox', 'none');
    assert.equal((await cli.run(['enqueue', '--queue', 'free', '--cwd', '/usr', 'true'])).code, 0);
  });
});
