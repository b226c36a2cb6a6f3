// Sandboxes and users required by a queue or globally, machines without sandboxes, invalid settings, and killed
// workers.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { type Fleet, newFleet, send } from '../support/fleet.ts';
import { until } from '../support/until.ts';
import { isSleeping, newSandboxes } from './sandboxes.ts';

async function errorOf(fleet: Fleet, id: string): Promise<string> {
  await fleet.untilFinal(id);
  return String((await fleet.history(id)).at(-1)?.error);
}

describe('a sandbox that a queue requires', () => {
  test('rejects a job that names another, when it is enqueued and before it starts', async (t) => {
    const boxes = await newSandboxes(t);
    const { cli } = boxes.fleet;
    await cli.text('queue', 'set', 'held', '--sandbox', 'strict');
    await boxes.fleet.set({ sandbox_directories: boxes.work });
    for (const other of ['none', 'readonly', 'network']) {
      const { code, stderr } = await cli.run(['enqueue', '--queue', 'held', '--sandbox', other, 'true']);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`queue 'held' requires the sandbox 'strict', but the job requests '${other}'`));
    }
    const plain = await boxes.run('touch /var/tmp/../../x 2>/dev/null || echo held', {
      queue: 'held',
      sandbox: null,
    });
    assert.equal(plain?.output ?? 'held', 'held', 'a job that names none runs in it');
    assert.equal((await boxes.run('echo same', { queue: 'held' }))?.output ?? 'same', 'same');

    await boxes.fleet.add({
      id: 'past',
      queue: 'held',
      command: 'true',
      cwd: boxes.work,
      delay: 3600,
      max_retries: 0,
    });
    boxes.fleet.tamper('UPDATE jobs SET confinement = \'{"sandbox":"none"}\' WHERE id = \'past\'');
    await cli.text('run-now', 'past');
    assert.match(await errorOf(boxes.fleet, 'past'), /^could not start: queue 'held' requires the sandbox 'strict'/);
    assert.match(await cli.text('show', 'past'), /requires the sandbox 'strict'/);
    assert.match(await cli.text('queue', 'show', 'held'), /sandbox strict/);
    await cli.text('queue', 'set', 'held', '--sandbox', 'any');
    assert.equal((await cli.run(['enqueue', '--queue', 'held', '--sandbox', 'none', 'true'])).code, 0);
  });

  test('can be set globally, and a queue can override it', async (t) => {
    const boxes = await newSandboxes(t);
    await boxes.fleet.set({ sandbox: 'strict', sandbox_directories: boxes.work });
    assert.equal((await boxes.fleet.cli.run(['enqueue', '--sandbox', 'none', 'true'])).code, 2);
    assert.equal((await boxes.run('test -e /var/lib || echo held', { sandbox: null }))?.output ?? 'held', 'held');
    await boxes.fleet.cli.text('queue', 'set', 'free', '--sandbox', 'none');
    await boxes.fleet.add({ id: 'free', queue: 'free', command: 'test -e /var/lib' });
    assert.equal((await boxes.fleet.untilFinal('free')).state, 'completed');
  });

  test('must exist', async (t) => {
    const { cli } = await newFleet(t);
    for (const args of [
      ['enqueue', '--sandbox', 'stric', 'true'],
      ['queue', 'set', 'q', '--sandbox', 'stric'],
    ]) {
      const { code, stderr } = await cli.run(args);
      assert.equal(code, 2);
      assert.match(stderr, /sandbox profile 'stric' not found\n hint: did you mean 'strict'\?/);
    }
  });
});

describe('a job that needs a sandbox does not start', () => {
  test('without bubblewrap, and its error says what to install; the worker continues', async (t) => {
    const fleet = await newFleet(t);
    fs.mkdirSync(fleet.path('work'));
    await fleet.workerWith({ PATH: pathWithout(fleet, 'bwrap') });
    await fleet.add(
      { id: 'held', command: 'touch ran', sandbox: 'strict', cwd: fleet.path('work'), max_retries: 0 },
      { id: 'free', command: 'true' },
    );
    assert.match(
      await errorOf(fleet, 'held'),
      /^could not start: the job requires a sandbox, but program 'bwrap' not found on this host; install bubblewrap: apt install/,
    );
    assert.deepEqual(fs.readdirSync(fleet.path('work')), []);
    assert.equal((await fleet.untilFinal('free')).state, 'completed');
  });

  test('if bubblewrap lacks permission, and its error says how to allow it', async (t) => {
    const fleet = await newFleet(t);
    const folder = pathWithout(fleet, 'bwrap');
    const fake = '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n';
    fs.writeFileSync(path.join(folder, 'bwrap'), fake, { mode: 0o755 });
    await fleet.workerWith({ PATH: folder });
    await fleet.add({ id: 'held', command: 'touch ran', sandbox: 'network', max_retries: 0 });
    assert.match(
      await errorOf(fleet, 'held'),
      /No permissions to create new namespace; allow user namespaces: sysctl /,
    );
    assert.ok(!fs.existsSync(fleet.path('ran')));
    assert.deepEqual(await fleet.outcomes('held'), ['not_started']);
  });

  test('if its profile became invalid or was deleted', async (t) => {
    const fleet = await newFleet(t);
    await fleet.set({ sandbox_profiles: '{"mine":{}}' });
    const job = { command: 'touch ran', sandbox: 'mine', max_retries: 0 };
    await fleet.add({ id: 'removed', ...job }, { id: 'broken', ...job, delay: 3600 });
    await fleet.cli.text('sandbox', 'remove', 'mine');
    await fleet.worker();
    assert.match(await errorOf(fleet, 'removed'), /^could not start: sandbox profile 'mine' not found/);
    await fleet.set({ sandbox_profiles: '{"mine":{}}' });
    fleet.tamper(`UPDATE settings SET value = '"{\\"mine\\":{\\"writable\\":7}}"' WHERE key = 'sandbox_profiles'`);
    await fleet.cli.text('run-now', 'broken');
    assert.match(await errorOf(fleet, 'broken'), /^could not start: .*(writable|sandbox_profiles)/);
    assert.ok(!fs.existsSync(fleet.path('ran')));
  });
});

test('a sandboxed job dies with its worker and runs again on another', async (t) => {
  const boxes = await newSandboxes(t);
  if (!boxes.canBeMade) return void assert.equal(await boxes.run('true'), null);
  const [worker] = await boxes.fleet.queue.workers();
  await boxes.fleet.add({
    id: 'lost',
    command: 'echo >> starts; test $(wc -l < starts) = 2 && exit; env -i setsid sleep 64.5 & sleep 64.5',
    cwd: boxes.work,
    sandbox: 'strict',
  });
  await until('it runs', () => fs.existsSync(path.join(boxes.work, 'starts')));
  send(Number(worker?.pid), 'SIGKILL');
  await until('nothing of it is left', () => !isSleeping('64.5'));
  await boxes.fleet.worker();
  const job = await boxes.fleet.untilFinal('lost');
  assert.deepEqual([job.state, job.interruptions], ['completed', 1]);
});

/** Creates a directory with every program of the PATH except this one. */
function pathWithout(fleet: Fleet, program: string): string {
  const folder = fleet.path('programs');
  fs.mkdirSync(folder);
  const names = new Set([program]);
  for (const from of String(process.env.PATH)
    .split(':')
    .filter((one) => fs.existsSync(one)))
    for (const name of fs.readdirSync(from)) {
      if (names.has(name)) continue;
      names.add(name);
      fs.symlinkSync(path.join(from, name), path.join(folder, name));
    }
  return folder;
}
