// Captures output through pipes of the C library and through named pipes.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { STDERR, STDOUT, type Stream } from '../../src/job/output/output-stamps.ts';
import { Capture } from '../../src/process/output/capture.ts';
import { type Launch, launch } from '../../src/process/spawn/launch.ts';
import { nodeSpawn } from '../../src/process/spawn/node-spawn.ts';
import { NamedPipes, type Pipes, pipesByFfi } from '../../src/process/output/pipe.ts';
import { processEntry } from '../../src/process/tree/proc.ts';
import { send } from '../support/fleet.ts';
import { until } from '../support/until.ts';

interface Options {
  readonly isSplit?: boolean;
  readonly listens?: boolean;
}

function capturing(pipes: Pipes): void {
  function begin(command: Launch['command'], { isSplit = false, listens = false }: Options = {}) {
    const received: { data: Buffer; stream: Stream }[] = [];
    const capture = new Capture(pipes, isSplit, (data, stream) => received.push({ data: Buffer.from(data), stream }));
    const launched = launch(
      {
        ...{ command, shell: '/bin/sh -c', cwd: null, inherited: process.env, own: {} },
        outputs: capture.outputs,
        notAfterMs: Number.POSITIVE_INFINITY,
      },
      nodeSpawn,
    );
    void launched.pid.then(() => capture.handedOver());
    if (listens) capture.listen();
    const textOf = (stream?: Stream): string =>
      received
        .filter((part) => stream === undefined || part.stream === stream)
        .map(({ data }) => data)
        .join('');
    const ended = launched.exit.then((exit) => {
      capture.end();
      return exit;
    });
    return { ...launched, ended, textOf };
  }

  async function outputOf(command: Launch['command'], options: Options = {}): Promise<string> {
    const { ended, textOf } = begin(command, options);
    await ended;
    return textOf();
  }

  for (const listens of [false, true]) {
    const when = listens ? 'as it comes' : 'at the end';

    test(`output is received ${when}, with both streams in order`, async () => {
      const command = 'for i in 1 2 3; do echo out $i; echo err $i >&2; done; printf end';
      assert.equal(await outputOf(command, { listens }), 'out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\nend');
    });

    test(`a script that reopens /dev/stderr loses nothing, received ${when}`, async () => {
      const command = 'echo one; echo two > /dev/stderr; echo three > /dev/stdout; echo four';
      assert.equal(await outputOf(command, { listens }), 'one\ntwo\nthree\nfour\n');
    });

    test(`split streams are received separately ${when}`, async () => {
      const { ended, textOf } = begin('echo out; echo err >&2; echo more', { isSplit: true, listens });
      await ended;
      assert.deepEqual([textOf(STDOUT), textOf(STDERR)], ['out\nmore\n', 'err\n']);
    });
  }

  test('large output is received completely and in order', async () => {
    const expected = Array.from({ length: 300_000 }, (_, i) => `${i + 1}\n`).join('');
    assert.ok((await outputOf('seq 1 300000', { listens: true })) === expected);
  });

  test('capture ends with the job, not with a remaining child', async (t) => {
    const { ended, textOf, pid } = begin('echo mine; sleep 60 & echo $!');
    endAfter(t, await pid);
    await ended;
    const [, child = ''] = textOf().split('\n');
    endAfter(t, Number(child));
    assert.equal(textOf(), `mine\n${child}\n`);
  });

  test('output of a remaining child is discarded without blocking the child', async (t) => {
    const { ended, textOf, pid } = begin('(yes; echo $? >&2) & echo $!; exec sleep 0.2', { listens: true });
    endAfter(t, await pid);
    await ended;
    const received = textOf().length;
    const group = Number(await pid);
    await until('it has been read to nowhere', () => ioOf(group) > received + 200_000, 10_000);
    assert.equal(textOf().length, received);
  });

  test('no file stays open, whether or not the start succeeds', async () => {
    const openFiles = (): number => readdirSync('/proc/self/fd').length;
    await outputOf('true', { listens: true }); // shared files are open from here on
    const before = openFiles();
    for (let i = 0; i < 20; i++) {
      await outputOf('echo x');
      await outputOf('echo x; sleep 0.01', { listens: true, isSplit: true });
      await outputOf('exec >&- 2>&-; sleep 0.01', { listens: true });
      await begin(['no-such-program-here']).ended;
    }
    await until('all are closed', () => openFiles() <= before);
  });

  test('a job without a reader is not killed by SIGPIPE', async () => {
    const capture = new Capture(pipes, false, () => {});
    const { exit } = launch(
      {
        command: 'sleep 0.1; echo nobody reads this; exit 7',
        ...{ shell: '/bin/sh -c', cwd: null, inherited: process.env, own: {} },
        outputs: capture.outputs,
        notAfterMs: Number.POSITIVE_INFINITY,
      },
      nodeSpawn,
    );
    capture.handedOver();
    capture.close();
    assert.equal((await exit).exitCode, 7);
  });
}

/** Returns the number of bytes written by the processes of a group. */
function ioOf(group: number): number {
  const members = readdirSync('/proc').filter((pid) => processEntry(Number(pid) || 1)?.group === group);
  const written = (pid: string): number => {
    try {
      return Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
    } catch {
      return 0;
    }
  };
  return members.reduce((sum, pid) => sum + written(pid), 0);
}

/** Including its children. */
function endAfter(t: TestContext, pid: number | null): void {
  t.after(() => {
    if (pid) for (const target of [-pid, pid]) send(target, 'SIGKILL');
  });
}

const byFfi = pipesByFfi();
test('pipes of the C library are available on Linux', () => assert.equal(byFfi !== null, process.platform === 'linux'));
if (byFfi) describe('pipes of the C library', () => capturing(byFfi));
describe('named pipes', () => capturing(new NamedPipes()));
