// Starts real commands with every starter, and checks their outcome and environment.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { openInput } from '../../src/process/spawn/input-file.ts';
import type { Exit } from '../../src/process/spawn/exit.ts';
import { type Launch, launch } from '../../src/process/spawn/launch.ts';
import { nodeSpawn } from '../../src/process/spawn/node-spawn.ts';
import { makePosixSpawn } from '../../src/process/spawn/posix-spawn.ts';
import { hostClockMs } from '../../src/process/tree/host-clock.ts';
import type { Starter } from '../../src/process/spawn/start.ts';
import { temporaryFolder } from '../support/folder.ts';

interface Ran {
  readonly exit: Exit;
  readonly output: string;
}

function launching(start: Starter): void {
  function begin(t: TestContext, request: Partial<Launch> & Pick<Launch, 'command'>) {
    const file = path.join(temporaryFolder(t), 'output');
    const output = fs.openSync(file, 'a+');
    t.after(() => fs.closeSync(output));
    const launched = launch(
      {
        shell: '/bin/sh -c',
        cwd: null,
        inherited: process.env,
        own: {},
        outputs: [output, output],
        notAfterMs: Number.POSITIVE_INFINITY,
        ...request,
      },
      start,
    );
    return { ...launched, output: () => fs.readFileSync(file, 'utf8') };
  }

  async function run(t: TestContext, command: Launch['command'], more: Partial<Launch> = {}): Promise<Ran> {
    const launched = begin(t, { command, ...more });
    const { usage: _, ...exit } = await launched.exit;
    return { exit, output: launched.output() };
  }

  test('a string runs in the shell and a list runs directly', async (t) => {
    const env = { ...process.env, NAME: 'value' };
    assert.equal((await run(t, 'echo "$NAME" | tr a-z A-Z', { inherited: env })).output, 'VALUE\n');
    assert.equal(
      (await run(t, ['printf', '%s\n', '$NAME | x', '', 'a  b'], { inherited: env })).output,
      '$NAME | x\n\na  b\n',
    );
  });

  test('stdin is empty by default', async (t) => {
    assert.equal((await run(t, 'wc -c; readlink /proc/self/fd/0')).output, '0\n/dev/null\n');
    const bytes = Buffer.from([0, 255, 10, 13, 128, 65]);
    const input = openInput(path.join(temporaryFolder(t), 'input'), bytes);
    t.after(() => fs.closeSync(input));
    assert.equal((await run(t, 'od -An -v -tu1', { input })).output.trim(), '0 255  10  13 128  65');
  });

  test('each command gets its own inherited environment, even beyond the number of prepared ones', async (t) => {
    const PATH = process.env.PATH;
    const environments = Array.from({ length: 70 }, (_, i) => ({
      PATH,
      ONLY: `of ${i}`,
      [`HAS_${i}`]: 'yes',
    }));
    const order = [...environments.keys(), 0, 69, 1, 0];
    const own = { OWN: 'own', HAS_1: 'replaced' };
    const outputs = await Promise.all(
      order.map(async (i) => {
        const script = `echo "$ONLY $OWN $HAS_1 $HAS_${i}"; env | grep -c ^HAS_`;
        return (await run(t, script, { inherited: environments[i] ?? {}, own })).output;
      }),
    );
    const expected = order.map((i) => `of ${i} own replaced ${i === 1 ? 'replaced' : 'yes'}\n${i === 1 ? 1 : 2}\n`);
    assert.deepEqual(outputs, expected);
  });

  test('a program is looked up in its own environment', async (t) => {
    const folders = ['one', 'two'].map((says) => {
      const folder = temporaryFolder(t);
      fs.writeFileSync(path.join(folder, 'say'), `#!/bin/sh\necho ${says}\n`, { mode: 0o755 });
      return folder;
    });
    const said = folders.map(async (PATH) => (await run(t, ['say'], { inherited: { PATH } })).output);
    assert.deepEqual(await Promise.all(said), ['one\n', 'two\n']);
  });

  test('the configured shell and its flags are used', async (t) => {
    assert.equal((await run(t, 'false; echo on', { shell: '/bin/sh -c' })).exit.outcome, 'completed');
    assert.equal((await run(t, 'false; echo on', { shell: '/bin/sh -e -c' })).exit.outcome, 'failed');
  });

  test('exit code and signal are reported', async (t) => {
    const ended = async (command: string) => (await run(t, command)).exit;
    assert.deepEqual(await ended('true'), { outcome: 'completed', exitCode: 0, signal: null, error: null });
    assert.deepEqual(await ended('exit 7'), {
      outcome: 'failed',
      exitCode: 7,
      signal: null,
      error: 'exit code 7',
    });
    const killed = { outcome: 'signalled', exitCode: null, signal: 'SIGKILL', error: 'killed by SIGKILL' };
    assert.deepEqual(await ended('kill -9 $$'), killed);
  });

  test('a missing or non-executable program is reported with the exit code of a shell', async (t) => {
    const missing = await run(t, ['no-such-program-here']);
    assert.deepEqual(missing.exit, {
      outcome: 'not_started',
      exitCode: 127,
      signal: null,
      error: "could not start: program 'no-such-program-here' not found",
    });
    const file = path.join(temporaryFolder(t), 'not-a-program');
    fs.writeFileSync(file, 'text', { mode: 0o644 });
    const { exit } = await run(t, [file]);
    assert.deepEqual([exit.outcome, exit.exitCode], ['not_started', 126]);
    assert.match(exit.error ?? '', /permission denied/);
  });

  test('a missing shell is named', async (t) => {
    const { exit } = await run(t, 'true', { shell: '/no/such/shell -c' });
    assert.equal(exit.error, "could not start: program '/no/such/shell' not found");
  });

  test('a missing working directory is reported', async (t) => {
    const cwd = path.join(temporaryFolder(t), 'gone');
    for (const command of ['true', ['true']]) {
      const { exit } = await run(t, command, { cwd });
      assert.equal(exit.outcome, 'not_started');
      assert.equal(exit.error, `could not start: the working directory '${cwd}' does not exist`);
    }
  });

  test('a command that is too long is reported', async (t) => {
    const { exit } = await run(t, ['echo', 'x'.repeat(4_000_000)]);
    assert.deepEqual([exit.outcome, exit.exitCode], ['not_started', 126]);
    assert.match(exit.error ?? '', /too long for this system/);
  });

  test('a command leads its own process group and session', async (t) => {
    const launched = begin(t, { command: 'exec cat /proc/self/stat' });
    await launched.exit;
    const [, , group, session] = launched
      .output()
      .slice(launched.output().lastIndexOf(')') + 2)
      .split(' ');
    const pid = await launched.pid;
    assert.deepEqual([Number(group), Number(session)], [pid, pid]);
  });

  test('a command has an empty stdin, its directory and its environment', async (t) => {
    const cwd = temporaryFolder(t);
    const env = { PATH: process.env.PATH, ONLY: 'this' };
    assert.equal((await run(t, 'cat; echo end')).output, 'end\n');
    assert.equal((await run(t, 'pwd -P', { cwd })).output, `${fs.realpathSync(cwd)}\n`);
    assert.deepEqual((await run(t, ['env'], { inherited: env })).output.trim().split('\n').sort(), [
      `ONLY=this`,
      `PATH=${env.PATH}`,
    ]);
  });

  test('signals have their default effect, whatever the parent process handles', async (t) => {
    const { exit, output } = await run(
      t,
      'yes | head -n 1; for s in HUP INT QUIT PIPE TERM; do (kill -$s $$) done; echo alive',
    );
    assert.equal(output, 'y\n');
    assert.equal(exit.signal, 'SIGHUP');
  });

  test('stdout and stderr arrive in order', async (t) => {
    const { output } = await run(t, 'for i in 1 2 3; do echo out $i; echo err $i >&2; done');
    assert.equal(output, 'out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n');
  });

  test('a script without a shebang line runs in the shell', async (t) => {
    const file = path.join(temporaryFolder(t), 'script');
    fs.writeFileSync(file, 'echo "$1 from a script"\n', { mode: 0o755 });
    assert.equal((await run(t, [file, 'words'])).output, 'words from a script\n');
  });

  test('a program is looked up in the PATH of the job', async (t) => {
    const folder = temporaryFolder(t);
    fs.writeFileSync(path.join(folder, 'just-here'), '#!/bin/sh\necho found\n', { mode: 0o755 });
    const env = { PATH: `/nowhere:${folder}:${process.env.PATH}` };
    assert.equal((await run(t, ['just-here'], { inherited: env })).output, 'found\n');
    assert.equal((await run(t, ['just-here'])).exit.exitCode, 127);
  });

  test('all simultaneous exits are noticed', async (t) => {
    const codes = Array.from({ length: 50 }, (_, code) => code);
    const exits = await Promise.all(codes.map((code) => run(t, `exit ${code}`)));
    assert.deepEqual(
      exits.map(({ exit }) => exit.exitCode),
      codes,
    );
  });

  test('a command is not started after its deadline', async (t) => {
    const { exit, output } = await run(t, 'echo ran', { notAfterMs: hostClockMs() - 50 });
    assert.equal(output, '');
    assert.equal(exit.outcome, 'released');
    assert.match(exit.error ?? '', /the worker stalled/);
  });

  test('no zombie is left', async (t) => {
    const { pid, exit } = begin(t, { command: 'true' });
    await exit;
    assert.equal(fs.existsSync(`/proc/${await pid}`), false);
  });
}

describe('with the spawn of Node', () => launching(nodeSpawn));

const posixSpawn = makePosixSpawn();
test('posix_spawn is available on Linux', () => assert.equal(posixSpawn !== null, process.platform === 'linux'));
if (posixSpawn) {
  describe('with posix_spawn', () => {
    before(() => posixSpawn.ready);
    launching(posixSpawn);
  });
}
