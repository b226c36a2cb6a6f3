// Tests of the user that jobs run as. Only root can change the user: without root, each job for another user must be
// rejected, and the tests check that instead.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import { dirname } from 'node:path';
import { describe, test } from 'node:test';
import type { NewJobFields } from '../../src/job/input/new-job-input.ts';
import { separateFiles } from '../../src/process/output/attempt-files.ts';
import { type Fleet, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';
import { whyNoSandbox } from '../../src/isolation/sandbox/bubblewrap.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
/** A user other than the one who runs these tests. */
const OTHER = os.userInfo().username === 'nobody' ? 'daemon' : 'nobody';

/** Returns the job's output, or why it did not start. */
async function run(fleet: Fleet, command: string, said: Omit<NewJobFields, 'command' | 'cmd'> = {}): Promise<string> {
  const [{ id } = { id: '' }] = await fleet.add({ command, cwd: '/', max_retries: 0, ...said });
  await fleet.untilFinal(id);
  const [attempt] = await fleet.history(id);
  return attempt?.outcome === 'not_started' ? String(attempt.error) : fleet.output(id);
}

const NOT_ROOT = /^could not start: only a worker running as root can run jobs as another user: this worker runs as '/;

function expect(said: string, expected: string | RegExp): void {
  if (!isRoot) assert.match(said, NOT_ROOT);
  else if (typeof expected === 'string') assert.equal(said, expected);
  else assert.match(said, expected);
}

describe('a job of another user', () => {
  test('has its groups, home and name, and can do everything a job can', async (t) => {
    const fleet = await newFleet(t);
    await fleet.worker();
    const account = fs
      .readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.startsWith('nobody:'));
    const [, , , , , home, shell] = String(account).split(':');
    const said = await run(
      fleet,
      'id -un; id -Gn; echo $HOME $USER $LOGNAME $SHELL; cat /dev/stdin; echo again > /dev/stdout; echo 7 > "$QUEUECTL_RESULT"',
      { id: 'other', user: OTHER, stdin: 'in\n' },
    );
    expect(said, new RegExp(`^nobody\n\\w+\n${home} nobody nobody ${shell}\nin\nagain$`));
    if (!isRoot) return;
    assert.equal((await fleet.job('other')).result, '7');
    assert.match(await fleet.cli.text('show', 'other'), /as user nobody/);
    const files = separateFiles(String((await fleet.job('other')).logPath), true);
    assert.ok(!fs.existsSync(dirname(files)), 'nothing is left of what was between them');
  });

  test('is stopped like any other', async (t) => {
    const fleet = await newFleet(t);
    await fleet.worker();
    if (!isRoot) return expect(await run(fleet, 'true', { user: OTHER }), '');
    await fleet.add({ id: 'other', command: 'setsid sleep 65 & sleep 65', cwd: '/', user: OTHER });
    await until('it runs', async () => (await fleet.history('other'))[0]?.pid);
    await fleet.cli.text('cancel', 'other');
    assert.equal((await fleet.untilFinal('other')).state, 'cancelled');
  });

  test('runs in a sandbox if sandboxes are available', async (t) => {
    const fleet = await newFleet(t);
    await fleet.worker();
    const said = await run(fleet, 'id -un; echo 1 > "$QUEUECTL_RESULT" && echo told', {
      user: OTHER,
      sandbox: 'readonly',
    });
    if ((await whyNoSandbox()) !== null) assert.match(said, /the job requires a sandbox/);
    else expect(said, 'nobody\ntold');
  });

  for (const sandbox of ['none', 'readonly'])
    test(`has LD_PRELOAD for its command only, not for the wrapper programs (sandbox ${sandbox})`, async (t) => {
      const fleet = await newFleet(t);
      await fleet.worker();
      const command = ['/bin/sh', '-c', 'echo "<$LD_PRELOAD>"'];
      const env = { LD_PRELOAD: '/no-such.so' };
      const [{ id } = { id: '' }] = await fleet.add({
        command,
        cwd: '/',
        max_retries: 0,
        user: OTHER,
        sandbox,
        env,
      });
      await fleet.untilFinal(id);
      if (sandbox !== 'none' && (await whyNoSandbox()) !== null) return;
      const [attempt] = await fleet.history(id);
      if (!isRoot) return assert.match(String(attempt?.error), NOT_ROOT);
      const lines = (await fleet.output(id)).split('\n');
      assert.equal(lines.at(-1), '</no-such.so>');
      assert.ok(lines.length <= 2, `the loader complains once, for the command: ${lines.join(' | ')}`);
    });

  test('must have an existing user', async (t) => {
    const fleet = await newFleet(t);
    await fleet.worker();
    const said = await run(fleet, 'true', { user: 'no-such-user' });
    assert.equal(said, "could not start: user 'no-such-user' not found on this host");
  });
});

describe('the user of a job', () => {
  test('is set by the job, its queue, its worker or globally', async (t) => {
    const fleet = await newFleet(t);
    if (!isRoot) {
      const { code, stderr } = await fleet.cli.run(['worker', 'run', '--drain', '--user', 'root']);
      assert.equal(code, 2);
      return assert.match(stderr, /only a worker running as root can run jobs as another user/);
    }
    for (const command of ['start', 'run'])
      assert.match(
        await fleet.cli.rejected(2, ['worker', command, '--user', 'no-such-user']),
        /^error: user 'no-such-user' not found on this host\n/,
      );
    await fleet.worker('--user', 'daemon');
    assert.equal(await run(fleet, 'id -un'), 'daemon');
    assert.equal(await run(fleet, 'id -un', { user: 'nobody' }), 'nobody');
    await fleet.set({ run_as: 'nobody' });
    assert.equal(await run(fleet, 'id -un'), 'nobody');
    await fleet.cli.text('queue', 'set', 'own', '--user', 'bin');
    assert.equal(await run(fleet, 'id -un', { queue: 'own' }), 'bin');
    const { code, stderr } = await fleet.cli.run(['enqueue', '--queue', 'own', '--user', 'root', 'true']);
    assert.equal(code, 2);
    assert.match(stderr, /queue 'own' requires the user 'bin', but the job requests 'root'/);
  });

  test('is root only while that is allowed', async (t) => {
    const fleet = await newFleet(t, { run_as_root: 'rejected' });
    await fleet.worker();
    const said = [await run(fleet, 'id -un'), await run(fleet, 'id -un', { user: os.userInfo().username })];
    const name = os.userInfo().username;
    if (!isRoot) assert.deepEqual(said, [name, name]);
    else for (const one of said) assert.match(one, /^could not start: jobs may not run as root here/);
  });

  test('is never root if another user owns the queue, unless the worker allows it by flag', async (t) => {
    const fleet = await newFleet(t);
    if (!isRoot) return expect(await withWorker(fleet, 'true', { user: 'root' }), '');
    for (const name of fs.readdirSync(fleet.cli.home)) fs.chownSync(`${fleet.cli.home}/${name}`, NOBODY, NOBODY);
    await fleet.set({ run_as_root: 'allowed' });
    const worker = await fleet.worker();
    assert.match(await run(fleet, 'id -un'), /^could not start: the database belongs to user 65534/);
    assert.match(await run(fleet, 'id -un', { user: 'daemon' }), /^could not start: the database belongs to/);
    assert.equal(await run(fleet, 'id -un', { user: 'nobody' }), 'nobody');
    await fleet.cli.text('worker', 'stop', worker.id);
    await fleet.worker('--user', 'root');
    assert.equal(await run(fleet, 'id -un'), 'root');
  });
});

async function withWorker(fleet: Fleet, command: string, said: NewJobFields): Promise<string> {
  await fleet.worker();
  return run(fleet, command, said);
}

test('jobs inherit only the worker variables named in the setting', async (t) => {
  const fleet = await newFleet(t);
  await fleet.workerWith({ SECRET: 'hunter2', LC_TIME: 'C' });
  const look = 'echo "$SECRET/$LC_TIME"';
  assert.equal(await run(fleet, look), 'hunter2/C');
  await fleet.set({ inherit_from_worker: 'PATH, LC_*' });
  assert.equal(await run(fleet, look), '/C');
});
