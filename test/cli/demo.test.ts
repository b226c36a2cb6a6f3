// The demo, played for real: what it shows, what it answers, and that it leaves nothing behind however it ends.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { allPids, hasEnvironment, processEntry } from '../../src/process/tree/proc.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

const queuectl = path.join(import.meta.dirname, '..', '..', 'bin', 'queuectl');
const SCENES = [
  'success',
  'retries',
  'dead letter queue',
  'priority',
  'schedule',
  'flow',
  'timeout',
  'killed worker',
  'graceful stop',
];

/** One run of the demo by a user who has a queue and settings of their own. */
class Run {
  readonly own: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  stdout = '';
  stderr = '';
  private readonly temporary: string;

  constructor(t: TestContext, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
    const folder = temporaryFolder(t);
    this.own = path.join(folder, 'own', 'queue.db');
    this.temporary = path.join(folder, 'temporary');
    fs.mkdirSync(this.temporary);
    this.child = spawn(queuectl, ['demo', ...args], {
      env: {
        ...process.env,
        TMPDIR: this.temporary,
        QUEUECTL_DB: this.own,
        QUEUECTL_BACKOFF_BASE: '999',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text) => (this.stderr += text));
    this.ended = new Promise((resolve) => this.child.once('exit', resolve));
  }

  /** A process of it would have the demo's temporary folder from the demo itself. */
  private get processes(): number[] {
    const mark = { TMPDIR: this.temporary };
    return allPids().filter((pid) => hasEnvironment(pid, mark) && processEntry(pid) !== null);
  }

  assertNothingIsLeft(): void {
    assert.deepEqual(fs.readdirSync(this.temporary), [], 'its folder is gone');
    assert.deepEqual(this.processes, [], 'its processes are gone');
    assert.equal(fs.existsSync(path.dirname(this.own)), false, "the user's own queue was not touched");
  }
}

describe('the demo', { concurrency: true }, () => {
  test('shows for every scene the command, its result and an explanation', async (t) => {
    const run = new Run(t);
    assert.equal(await run.ended, 0, run.stdout + run.stderr);
    const { stdout } = run;
    assert.equal(run.stderr, '');
    assert.equal(stdout.match(/^ {3}✓ /gm)?.length, SCENES.length);
    assert.match(stdout, /^ {3}\$ queuectl enqueue --id hello 'echo Hello, world'\n {3}hello {2}enqueued$/m);
    assert.match(stdout, /^✓ All 9 checks passed in \d+ s\./m);
    assert.deepEqual(
      stdout.split('\n').filter((line) => [...line].length > 80),
      [],
      'it fits 80 columns',
    );
    assert.equal(stdout.includes('\u001b'), false, 'no colour where there is no terminal');
    run.assertNothingIsLeft();
  });

  test('prints what it saw as JSON, and fails if something did not happen', async (t) => {
    const tools = temporaryFolder(t);
    fs.writeFileSync(path.join(tools, 'cat'), '#!/bin/sh\necho no such luck >&2\nexit 3\n', { mode: 0o755 });
    const run = new Run(t, ['--json'], { PATH: `${tools}:${process.env.PATH}` });
    assert.equal(await run.ended, 1, run.stdout + run.stderr);
    const { ok, scenes } = JSON.parse(run.stdout);
    const names = (isOk: boolean) =>
      scenes.filter((scene: { ok: boolean }) => scene.ok === isOk).map(({ name }: { name: string }) => name);
    assert.equal(ok, false);
    assert.deepEqual(names(false), ['dead letter queue']);
    assert.deepEqual(
      names(true),
      SCENES.filter((name) => name !== 'dead letter queue'),
    );
    assert.equal(scenes[2].notice, 'queuectl wait exited with code 3');
    run.assertNothingIsLeft();
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    test(`${signal} stops the demo and leaves nothing behind`, async (t) => {
      const run = new Run(t);
      await until('a job waits for its retry', () => run.stdout.includes('queuectl wait flaky'));
      run.child.kill(signal);
      assert.equal(await run.ended, code);
      run.assertNothingIsLeft();
    });
  }

  test('a reader that closes the pipe stops the demo, and nothing is left behind', async (t) => {
    const run = new Run(t);
    await until('it has begun', () => run.stdout.includes('started  pid'));
    run.child.stdout?.destroy();
    assert.equal(await run.ended, 0);
    assert.equal(run.stderr, '');
    run.assertNothingIsLeft();
  });

  test('accepts no arguments', async (t) => {
    const run = new Run(t, ['all']);
    assert.equal(await run.ended, 2);
    assert.match(run.stderr, /^error: unexpected argument 'all'\n hint: queuectl demo\n$/);
    run.assertNothingIsLeft();
  });
});
