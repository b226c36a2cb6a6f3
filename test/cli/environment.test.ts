// A job runs with the environment of the shell that enqueued it, wherever and however its worker was started.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { newQueue, type TestQueue } from './support.ts';

/** A folder with a program of this name, which says what it is given. */
function folderWith(queue: TestQueue, folder: string, program: string, says: string): string {
  const bin = path.join(queue.folder, folder, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  fs.writeFileSync(path.join(bin, program), `#!/bin/sh\necho ${says}\n`, { mode: 0o755 });
  return bin;
}

/** What a job wrote, without the lines around it and the end of its last line. */
async function output(queue: TestQueue, id: string): Promise<string> {
  const log = await queue.text('logs', id);
  assert.match(log, /^--- START .*\n--- END .*\n$/s);
  return log.replace(/^.*\n/, '').replace(/\n--- END .*\n$/, '');
}

/** The variables that a job was started with, as it wrote them down itself. */
async function variablesOf(queue: TestQueue, id: string): Promise<Record<string, string>> {
  const entries = (await output(queue, id)).split('\0').filter(Boolean);
  return Object.fromEntries(entries.map((entry) => [entry.split('=', 1)[0], entry.replace(/^[^=]*=/s, '')]));
}

async function enqueueIn(queue: TestQueue, env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await queue.run(['enqueue', '--print-id', ...args], { env });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return stdout.trimEnd();
}

async function drainIn(queue: TestQueue, env: NodeJS.ProcessEnv): Promise<void> {
  const { code, stderr } = await queue.run(['worker', 'run', '--drain', '--concurrency', '4'], { env });
  assert.equal(code, 0, stderr);
}

/** Straight from the file. */
function rows(queue: TestQueue, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(queue.db, { readOnly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

describe('a job', () => {
  test('finds the programs that its shell found, by name and in the shell', async (t) => {
    const queue = newQueue(t);
    const venv = folderWith(queue, 'venv', 'python', 'from the virtual environment');
    const PATH = `${venv}:${process.env.PATH}`;
    const VIRTUAL_ENV = path.dirname(venv);
    const byName = await enqueueIn(queue, { PATH, VIRTUAL_ENV }, '--', 'python');
    const inShell = await enqueueIn(queue, { PATH, VIRTUAL_ENV }, 'python; echo "$VIRTUAL_ENV"');
    const worker = { PATH: `${folderWith(queue, 'other', 'python', 'the worker’s')}:${process.env.PATH}` };
    await drainIn(queue, worker);
    assert.equal(await output(queue, byName), 'from the virtual environment');
    assert.equal(await output(queue, inShell), `from the virtual environment\n${VIRTUAL_ENV}`);
  });

  test('has the variables of its own shell, not of another shell or its worker', async (t) => {
    const queue = newQueue(t);
    const first = await enqueueIn(queue, { SHELL_OF: 'first', FIRST: '1' }, '--', 'env', '-0');
    const second = await enqueueIn(queue, { SHELL_OF: 'second', SECOND: '2' }, '--', 'env', '-0');
    await drainIn(queue, { SHELL_OF: 'worker', WORKER: 'w' });
    const [one, two] = [await variablesOf(queue, first), await variablesOf(queue, second)];
    assert.deepEqual([one.SHELL_OF, one.FIRST, one.SECOND, one.WORKER], ['first', '1', undefined, undefined]);
    assert.deepEqual([two.SHELL_OF, two.FIRST, two.SECOND, two.WORKER], ['second', undefined, '2', undefined]);
  });

  test('starts the same way with run, with and without a worker', async (t) => {
    const queue = newQueue(t);
    const env = { SHELL_OF: 'run' };
    const alone = await queue.run(['run', 'echo "$SHELL_OF"'], { env });
    assert.equal(alone.stdout, 'run\n');
    const worker = await queue.worker();
    const served = await queue.run(['run', 'echo "$SHELL_OF"'], { env });
    assert.equal(served.stdout, 'run\n');
    await worker.leave();
  });

  test('gets its ID and location, whatever its shell had set', async (t) => {
    const queue = newQueue(t);
    const shell = {
      QUEUECTL_JOB_ID: 'other',
      QUEUECTL_QUEUE: 'other',
      QUEUECTL_MAX_RETRIES: '9',
      PWD: '/nowhere',
    };
    const env = {
      ...shell,
      OLDPWD: '/before',
      SHLVL: '7',
      TERM: 'xterm',
      COLUMNS: '80',
      QUEUECTL_HOME: queue.home,
    };
    const id = await enqueueIn(queue, env, '--cwd', '/', '--', 'env', '-0');
    await drainIn(queue, {});
    const { QUEUECTL_WORKER_ID, ...job } = await variablesOf(queue, id);
    assert.match(String(QUEUECTL_WORKER_ID), /^w/);
    assert.equal(job.QUEUECTL_JOB_ID, id);
    assert.equal(job.QUEUECTL_ATTEMPT, '1');
    assert.equal(job.QUEUECTL_QUEUE, 'default');
    assert.equal(job.QUEUECTL_DB, queue.db);
    assert.equal(job.PWD, '/');
    for (const name of ['OLDPWD', 'SHLVL', 'TERM', 'COLUMNS', '_', 'QUEUECTL_MAX_RETRIES', 'QUEUECTL_HOME'])
      assert.equal(job[name], undefined, name);
  });

  test('gets the variables of -e and its JSON in addition', async (t) => {
    const queue = newQueue(t);
    const env = { A: 'shell', B: 'shell', C: 'shell' };
    const id = await enqueueIn(queue, env, '-e', 'B=flag', '-e', 'D=new', '--', 'env', '-0');
    const json = await enqueueIn(queue, env, '{"command":["env","-0"],"env":{"C":"json","PWD":"/mine"}}');
    await drainIn(queue, {});
    const [flag, said] = [await variablesOf(queue, id), await variablesOf(queue, json)];
    assert.deepEqual([flag.A, flag.B, flag.C, flag.D], ['shell', 'flag', 'shell', 'new']);
    assert.deepEqual([said.A, said.B, said.C, said.PWD], ['shell', 'shell', 'json', '/mine']);
  });

  test('passes its own environment to jobs that it enqueues', async (t) => {
    const queue = newQueue(t);
    const nested = `queuectl enqueue --id child 'echo "$A $B $QUEUECTL_JOB_ID"'`;
    await enqueueIn(queue, { A: 'shell' }, '--id', 'parent', '-e', 'B=parent', nested);
    await drainIn(queue, { A: 'worker', B: 'worker' });
    assert.equal(await output(queue, 'child'), 'shell parent child');
  });

  test('keeps its environment over retries and in background workers', async (t) => {
    const queue = newQueue(t);
    const args = ['--id', 'a', '--max-retries', '1', '--backoff-base', '0'];
    await enqueueIn(
      queue,
      { SHELL_OF: 'mine' },
      ...args,
      'echo "$SHELL_OF $QUEUECTL_ATTEMPT"; [ $QUEUECTL_ATTEMPT = 2 ]',
    );
    const started = await queue.run(['worker', 'start', '--drain'], { env: { SHELL_OF: 'worker' } });
    assert.equal(started.code, 0, started.stderr);
    await queue.untilState('a', 'completed');
    assert.match(await output(queue, 'a'), /^mine 1\n.*\nmine 2$/s);
  });
});

describe('an environment', () => {
  test('is stored once for all jobs with equal environments', async (t) => {
    const queue = newQueue(t);
    const lines = Array.from({ length: 3000 }, (_, i) => `echo ${i}`).join('\n');
    await queue.run(['enqueue', '-', '--lines'], { input: lines, env: { SHLVL: '1' } });
    await queue.run(['enqueue', '--print-id', 'echo'], { env: { SHLVL: '2', TERM: 'other' } });
    await queue.run(['enqueue', '--print-id', 'echo'], { env: { A: 'different' } });
    const counts = rows(queue, 'SELECT count(*) AS n FROM jobs GROUP BY environment_id ORDER BY n DESC');
    assert.deepEqual(
      counts.map(({ n }) => n),
      [3001, 1],
    );
    assert.equal(rows(queue, 'SELECT id FROM environments').length, 2);
  });

  test('is removed by a worker after its last job was deleted', async (t) => {
    const queue = newQueue(t);
    const id = await queue.finished('echo');
    await queue.text('delete', id);
    await queue.drain();
    assert.equal(rows(queue, 'SELECT id FROM environments').length, 0);
  });

  test('that is missing while a job refers to it is reported by doctor', async (t) => {
    const queue = newQueue(t);
    await queue.enqueueAsProgram('true');
    const db = new DatabaseSync(queue.db);
    db.exec('DELETE FROM environments');
    db.close();
    const { code, stdout } = await queue.run(['doctor']);
    assert.equal(code, 1);
    assert.match(stdout, /1 job refers to a missing environment/);
  });

  test("is the worker's if the job, the setting or the shell selects that", async (t) => {
    const queue = newQueue(t);
    const say = 'echo "$SHELL_OF"';
    const env = { SHELL_OF: 'shell' };
    await enqueueIn(queue, env, '--id', 'flag', '--no-inherit-env', say);
    await queue.text('config', 'set', 'inherit-environment', 'off');
    await enqueueIn(queue, env, '--id', 'setting', say);
    await enqueueIn(queue, env, '--id', 'both', '--inherit-env', say);
    await enqueueIn(queue, { ...env, QUEUECTL_INHERIT_ENVIRONMENT: 'on' }, '--id', 'variable', say);
    const file = queue.write('jobs.ndjson', JSON.stringify({ id: 'file', command: say }));
    await enqueueIn(queue, env, '--inherit-env', '--file', file);
    await drainIn(queue, { SHELL_OF: 'worker' });
    const said = ['flag', 'setting', 'both', 'variable', 'file'].map((id) => output(queue, id));
    assert.deepEqual(await Promise.all(said), ['worker', 'worker', 'shell', 'shell', 'shell']);
  });

  test('moves with its job to another database, also in a repeated move', async (t) => {
    const queue = newQueue(t);
    const say = 'echo "$SHELL_OF"';
    await enqueueIn(queue, { SHELL_OF: 'first' }, '--id', 'a', say);
    await enqueueIn(queue, { SHELL_OF: 'second' }, '--id', 'b', say);
    const moved = path.join(queue.folder, 'moved.db');
    await queue.text('migrate', '--to', moved);
    assert.match(await queue.text('migrate', '--to', moved), /2 jobs already copied before/);
    await drainIn(queue, { QUEUECTL_DB: moved, SHELL_OF: 'worker' });
    const logs = ['a', 'b'].map((id) => queue.text('--db', moved, 'logs', id));
    const [first, second] = await Promise.all(logs);
    assert.match(String(first), /^first$/m);
    assert.match(String(second), /^second$/m);
  });

  test('cannot be both requested and declined', async (t) => {
    const queue = newQueue(t);
    for (const command of ['enqueue', 'run']) {
      const said = await queue.rejected(2, [command, '--inherit-env', '--no-inherit-env', 'true']);
      assert.match(said, /--inherit-env and --no-inherit-env cannot be combined/);
    }
    assert.equal(await queue.count(), 0);
  });

  test('that is too large is rejected in one sentence, and nothing is enqueued', async (t) => {
    const queue = newQueue(t);
    const env = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`BIG_${i}`, 'x'.repeat(100_000)]));
    const said = await queue.rejected(2, ['enqueue', 'true'], { env });
    assert.match(
      said,
      /environment of this shell is \d+ bytes long, more than the limit of 1048576; .*\n hint: .*--no-inherit-env/,
    );
    const piped = await queue.run(['enqueue', '-', '--lines'], { env, input: 'true\n' });
    assert.equal(piped.code, 2);
    assert.equal(await queue.count(), 0);
    const id = await enqueueIn(queue, env, '--no-inherit-env', 'true');
    assert.equal((await queue.show(id)).state, 'pending');
  });

  test('may contain invalid UTF-8: only that variable is left out', async (t) => {
    const queue = newQueue(t);
    const { code, stderr } = await queue.sh(
      `BAD=$(printf 'caf\\351') GOOD='é "\\ 🦊' queuectl enqueue --id a -- env -0`,
    );
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    await drainIn(queue, { BAD: 'worker' });
    const { BAD, GOOD } = await variablesOf(queue, 'a');
    assert.deepEqual([BAD, GOOD], [undefined, 'é "\\ 🦊']);
  });
});

describe('show', () => {
  test('prints the number of variables, and their values only on request', async (t) => {
    const queue = newQueue(t);
    const env = { SHELL_SECRET: 'hunter2' };
    const id = await enqueueIn(queue, env, '-e', 'OWN_SECRET=hunter3', 'true');
    const text = await queue.text('show', id);
    assert.match(text, /environment of the enqueueing shell: \d+ variables\n/);
    assert.doesNotMatch(text, /hunter/);
    const json = await queue.text('show', id, '--json');
    assert.doesNotMatch(json, /hunter/);
    assert.equal(JSON.parse(json).environment.SHELL_SECRET, '***');
    assert.match(await queue.text('show', id, '--show-env'), /\n {4}SHELL_SECRET=hunter2\n/);
    const asked = await queue.json('show', id, '--show-env');
    assert.equal((asked.environment as Record<string, string>).SHELL_SECRET, 'hunter2');
    for (const args of [['list'], ['list', '--json'], ['status', '--json'], ['doctor', '--json']])
      assert.doesNotMatch(await queue.text(...args), /hunter/);
  });

  test('prints nothing about the environment of a worker', async (t) => {
    const queue = newQueue(t);
    const id = await queue.enqueueAsProgram('--no-inherit-env', 'true');
    assert.doesNotMatch(await queue.text('show', id), /environment/);
    assert.equal((await queue.show(id)).environment, null);
  });
});
