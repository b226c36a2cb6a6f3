// queuectl enqueue with jobs in its arguments: shell strings, exact lists, JSON, and flags.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Document, newQueue } from './support.ts';

test('a string is a command for the shell', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.text('enqueue', 'echo a  &&  echo b'), /^\S+ {2}enqueued\n$/);
  const [job] = await queue.jobs();
  assert.deepEqual([job?.command, job?.state, job?.attempts], ['echo a  &&  echo b', 'pending', 0]);
});

test('arguments after -- are the exact argument list', async (t) => {
  const queue = newQueue(t);
  const id = await queue.enqueueAsProgram('--priority', '3', '--', 'convert', 'my photo.png', '--priority', '9', '-x');
  const job = await queue.show(id);
  assert.deepEqual(job.command, ['convert', 'my photo.png', '--priority', '9', '-x']);
  assert.equal(job.priority, 3);
});

test('a JSON object, a JSON array and several objects are jobs', async (t) => {
  const queue = newQueue(t);
  await queue.text('enqueue', '{"id":"a","command":"true"}');
  await queue.text('enqueue', ' [ {"id":"b","command":"true"}, {"id":"c","command":["echo","x y"]} ] ');
  await queue.text('enqueue', '{"id":"d","command":"true"}', '[{"id":"e","command":"true"}]');
  const jobs = await queue.jobs('--sort', 'created', '--reverse');
  assert.deepEqual(
    jobs.map(({ id }) => id),
    ['a', 'b', 'c', 'd', 'e'],
  );
  assert.deepEqual(jobs[2]?.command, ['echo', 'x y']);
});

test('several JSON arguments are stored together or not at all', async (t) => {
  const queue = newQueue(t);
  await queue.rejected(2, ['enqueue', '{"id":"a","command":"true"}', '{"id":"b"}']);
  assert.equal(await queue.count(), 0);
});

test('a shell group and a shell test are not JSON', async (t) => {
  const queue = newQueue(t);
  for (const command of ['{ echo a; }', '[ -f x ] && y', '{\necho a\n}', '[ 1 = 1 ]']) {
    const id = await queue.enqueueAsProgram(command);
    assert.equal((await queue.show(id)).command, command);
  }
  assert.equal((await queue.run(['run', '{ echo a; }'])).stdout, 'a\n');
});

test('a bash test is not JSON', async (t) => {
  const queue = newQueue(t);
  const id = await queue.enqueueAsProgram('[[ -f x ]] && y');
  assert.equal((await queue.show(id)).command, '[[ -f x ]] && y');
});

test('several plain words are rejected with two correct forms', async (t) => {
  const queue = newQueue(t);
  for (const words of [
    ['echo', 'a', 'b'],
    ['echo', '{"command":"x"}'],
    ['echo', '--', 'b'],
  ]) {
    const rejection = await queue.rejected(2, ['enqueue', ...words]);
    assert.match(rejection, /queuectl enqueue 'echo .*; .*queuectl enqueue -- echo /);
  }
  assert.equal(await queue.count(), 0);
});

test('an empty list of jobs is rejected like an empty file', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.rejected(2, ['enqueue', '[]']), /^error: no jobs in '\[\]'\n/);
  assert.match(await queue.rejected(2, ['enqueue', '-'], { input: '[]' }), /^error: no jobs in '-'\n/);
});

test('without a command, the hint shows the same line with a command', async (t) => {
  const queue = newQueue(t);
  for (const name of ['enqueue', 'run'])
    assert.match(
      await queue.rejected(2, name.split(' ')),
      new RegExp(`hint: queuectl ${name.split(' ', 2).join(' ')}.* 'sleep 2'\n`),
    );
});

test('add is a synonym of enqueue', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.text('add', '--id', 'a', 'true'), /^a {2}enqueued\n$/);
  assert.match(await queue.text('add', '--help'), /Also: queuectl add/);
});

test('--print-id prints only the IDs, one per line', async (t) => {
  const queue = newQueue(t);
  const one = await queue.text('enqueue', '--print-id', 'true');
  assert.match(one, /^[0-9a-z]{10}\n$/);
  assert.equal(
    await queue.text('enqueue', '--print-id', '[{"id":"a","command":"true"},{"id":"b","command":"true"}]'),
    'a\nb\n',
  );
  assert.equal((await queue.show(one.trim())).id, one.trim());
});

test('every field can be set by an option', async (t) => {
  const queue = newQueue(t);
  const flags =
    '--id a --queue mail -p 7 --max-retries 5 --backoff-base 1.5 --backoff-strategy linear --timeout 2m --cwd / -e A=1';
  await queue.text('enqueue', ...flags.split(' '), 'true');
  const expected = {
    id: 'a',
    queue: 'mail',
    priority: 7,
    max_retries: 5,
    backoff_base: 1.5,
    backoff_strategy: 'linear',
    timeout_seconds: 120,
    cwd: '/',
    env: { A: '***' },
  };
  assert.deepEqual(picked(await queue.show('a'), expected), expected);
});

test('every field can be set in JSON', async (t) => {
  const queue = newQueue(t);
  const said = {
    id: 'a',
    command: 'true',
    queue: 'mail',
    priority: -2_147_483_648,
    max_retries: 0,
    backoff_base: 0.5,
    backoff_strategy: 'fixed',
    timeout_seconds: 0.25,
    run_at: '2031-05-01T10:00:00.000Z',
    cwd: '/',
  };
  await queue.text('enqueue', JSON.stringify({ ...said, state: 'pending', attempts: 0, env: null }));
  assert.deepEqual(picked(await queue.show('a'), said), said);
});

test('synonyms of a field set the same field', async (t) => {
  const queue = newQueue(t);
  const aliases: [Document, Document][] = [
    [{ max_attempts: 3 }, { max_retries: 2 }],
    [{ maxRetries: 4 }, { max_retries: 4 }],
    [{ maxAttempts: 1 }, { max_retries: 0 }],
    [{ base_backoff: 3 }, { backoff_base: 3 }],
    [{ timeout: 90 }, { timeout_seconds: 90 }],
    [{ timeout: '2m' }, { timeout_seconds: 120 }],
    [{ timeout_ms: 1500 }, { timeout_seconds: 1.5 }],
    [{ timeoutSeconds: 5 }, { timeout_seconds: 5 }],
    [{ available_at: '2031-05-01T10:00:00Z' }, { run_at: '2031-05-01T10:00:00.000Z' }],
    [{ next_run_at: '2031-05-01T10:00' }, { run_at: '2031-05-01T10:00:00.000Z' }],
    [{ runAt: '2031-05-01 12:00+02:00' }, { run_at: '2031-05-01T10:00:00.000Z' }],
  ];
  const jobs = aliases.map(([said], i) => ({ ...said, id: `job${i}`, command: 'true' }));
  const stored = await queue.json<Document[]>('enqueue', JSON.stringify(jobs));
  for (const [i, [said, expected]] of aliases.entries()) {
    assert.deepEqual(picked(stored[i] ?? {}, expected), expected, JSON.stringify(said));
  }
});

test('an option next to a JSON job overrides its field under any synonym', async (t) => {
  const queue = newQueue(t);
  const job = '{"id":"a","command":"true","priority":1,"maxAttempts":9,"timeout":60,"env":{"A":"json"}}';
  await queue.text('enqueue', job, '--priority', '2', '--max-retries', '0', '--timeout', '1s', '-e', 'B=flag');
  const expected = { id: 'a', priority: 2, max_retries: 0, timeout_seconds: 1 };
  assert.deepEqual(picked(await queue.show('a'), expected), expected);
});

test('a delay and a time set when a job may start', async (t) => {
  const queue = newQueue(t);
  const before = Date.now();
  for (const [id, ...flags] of [
    ['a', '--delay', '90s'],
    ['b', '--run-at', '+90s'],
    ['c', '--run-at', 'in 90 seconds'],
  ]) {
    const [job] = await queue.json<Document[]>('enqueue', '--id', String(id), ...flags, 'true');
    const due = Date.parse(String(job?.next_run_at)) - 90_000;
    assert.ok(before <= due && due <= Date.now(), flags.join(' '));
    assert.equal(job?.run_at, job?.next_run_at);
  }
  const [json] = await queue.json<Document[]>('enqueue', '{"command":"true","delay_seconds":90}');
  assert.ok(Date.parse(String(json?.run_at)) >= before + 90_000);
});

test('a time without a zone is local on the command line and UTC in JSON', async (t) => {
  const queue = newQueue(t);
  const env = { TZ: 'Asia/Tokyo' };
  const flag = await queue.run(['enqueue', '--json', '--run-at', '2031-05-01 10:00', 'true'], { env });
  const field = await queue.run(['enqueue', '--json', '{"command":"true","run_at":"2031-05-01 10:00"}'], {
    env,
  });
  assert.equal(JSON.parse(flag.stdout)[0].run_at, '2031-05-01T01:00:00.000Z');
  assert.equal(JSON.parse(field.stdout)[0].run_at, '2031-05-01T10:00:00.000Z');
  const spoken = await queue.run(['enqueue', '--json', '--run-at', 'tomorrow 9:00', 'true'], { env });
  assert.match(JSON.parse(spoken.stdout)[0].run_at, /T00:00:00\.000Z$/);
});

test('-e sets a variable, or copies it if only its name is given', async (t) => {
  const queue = newQueue(t);
  const env = { FROM_HERE: 'copied = value' };
  const command = 'echo "$A|$B|$FROM_HERE"';
  const { stdout } = await queue.run(['run', '-e', 'A=1=2', '--env', 'B=', '-e', 'FROM_HERE', command], {
    env,
  });
  assert.equal(stdout, '1=2||copied = value\n');
});

test('-e of an unset variable is rejected', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.rejected(2, ['enqueue', '-e', 'NOT_SET_HERE', 'true']), /-e NOT_SET_HERE .*unset/);
  assert.equal(await queue.count(), 0);
});

test('retries and timeout default to the settings at enqueue time', async (t) => {
  const queue = newQueue(t);
  await queue.text('config', 'set', 'max_retries', '7');
  await queue.text('config', 'set', 'job_timeout', '90s');
  await queue.enqueue('--id', 'a', 'true');
  await queue.text('config', 'set', 'max_retries', '1');
  await queue.text('config', 'unset', 'job_timeout');
  await queue.enqueue('--id', 'b', 'true');
  const fields = { max_retries: 0, timeout_seconds: 0 };
  assert.deepEqual(picked(await queue.show('a'), fields), { max_retries: 7, timeout_seconds: 90 });
  assert.deepEqual(picked(await queue.show('b'), fields), { max_retries: 1, timeout_seconds: null });
});

/** The fields that `like` has. */
function picked(job: Document, like: Document): Document {
  return Object.fromEntries(Object.keys(like).map((name) => [name, job[name]]));
}
