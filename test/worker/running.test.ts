// Running a job with the promised environment.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { newFleet } from '../support/fleet.ts';

test('a job completes', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: 'echo hello' });
  const worker = await fleet.worker();
  const job = await fleet.untilState('a', 'completed');
  assert.deepEqual(
    [job.attempts, job.interruptions, job.exitCode, job.signal, job.lastError, job.lockedBy],
    [1, 0, 0, null, null, null],
  );
  const [attempt] = await fleet.history('a');
  assert.deepEqual([attempt?.outcome, attempt?.workerId, attempt?.run], ['completed', worker.id, 1]);
  assert.ok(attempt?.pid && attempt.pid !== worker.pid);
  assert.match(
    await fleet.log('a'),
    /^--- START \S+Z attempt=1 command="echo hello" ---\nhello\n--- END \S+Z rc=0 ---\n$/,
  );
});

test('an exact argument list runs without a shell', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: ['printf', '%s|', '$HOME', 'a  b', '; exit 3', ''] });
  await fleet.worker();
  await fleet.untilState('a', 'completed');
  assert.equal(await fleet.output('a'), '$HOME|a  b|; exit 3||');
});

test('a missing command fails, in the shell and as an argument list', async (t) => {
  const fleet = await newFleet(t, { max_retries: 0 });
  await fleet.add(
    { id: 'shell', command: 'no-such-program-here --flag' },
    { id: 'list', command: ['no-such-program-here', '--flag'] },
    { id: 'good', command: 'true' },
  );
  await fleet.worker();
  await fleet.untilState('good', 'completed');
  const [shell, list] = [await fleet.job('shell'), await fleet.job('list')];
  assert.deepEqual([shell.state, shell.exitCode, shell.attempts], ['dead', 127, 1]);
  assert.deepEqual([list.state, list.exitCode, list.attempts], ['dead', 127, 1]);
  assert.match(shell.lastError ?? '', /^exit code 127: .*no-such-program-here.*not found$/);
  assert.equal(list.lastError, "could not start: program 'no-such-program-here' not found");
  assert.match(await fleet.log('list'), /--- END \S+Z rc=127 ---\n$/);
});

test('the last line of a failing command is its error', async (t) => {
  const fleet = await newFleet(t, { max_retries: 0 });
  await fleet.add({ id: 'a', command: 'echo working; echo "disk on fire" >&2; exit 9' });
  await fleet.worker();
  const job = await fleet.untilState('a', 'dead');
  assert.deepEqual([job.exitCode, job.lastError], [9, 'exit code 9: disk on fire']);
});

test('jobs survive restarts', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'done', command: 'echo one' });
  await fleet.cli.drain();
  await fleet.add(
    { id: 'bad', command: 'exit 4', max_retries: 0 },
    { id: 'later', command: 'true', delay_seconds: 3600 },
  );
  const first = await fleet.worker();
  await fleet.untilState('bad', 'dead');
  first.kill('SIGTERM');
  await first.ended;
  await fleet.add({ id: 'new', command: 'echo two' });

  const listed = await fleet.cli.jobs('--sort', 'created');
  const states = Object.fromEntries(listed.map(({ id, state }) => [id, state]));
  assert.deepEqual(states, { done: 'completed', bad: 'dead', later: 'pending', new: 'pending' });
  await fleet.worker();
  await fleet.untilState('new', 'completed');
  assert.equal(await fleet.output('done'), 'one');
  assert.equal((await fleet.job('bad')).exitCode, 4);
  assert.equal((await fleet.job('later')).state, 'pending');
});

test('a job without an inherited environment has the variables of its worker and its own', async (t) => {
  const fleet = await newFleet(t);
  await fleet.cli.run(
    ['enqueue', '--id', 'a', '--no-inherit-env', '--queue', 'mail', '-e', 'GREETING=two words', '-e', 'COPIED', 'env'],
    {
      env: { COPIED: 'from the caller', NOT_COPIED: 'x' },
    },
  );
  const started = fleet.cli.start(['worker', 'run', '--drain'], {
    env: { INHERITED: 'from the worker', GREETING: 'overridden', QUEUECTL_JOB_ID: 'overridden' },
  });
  await started.ended;
  const [attempt] = await fleet.history('a');
  const env = new Set((await fleet.output('a')).split('\n'));
  for (const line of [
    'QUEUECTL_JOB_ID=a',
    'QUEUECTL_ATTEMPT=1',
    'QUEUECTL_QUEUE=mail',
    `QUEUECTL_WORKER_ID=${attempt?.workerId}`,
    `QUEUECTL_DB=${fleet.queue.place.dbForJobs}`,
    'GREETING=two words',
    'COPIED=from the caller',
    'INHERITED=from the worker',
  ]) {
    assert.ok(env.has(line), line);
  }
  assert.ok(!env.has('NOT_COPIED=x'));
});

test('QUEUECTL_GROUP is set only for jobs in a group', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: 'echo "in $QUEUECTL_GROUP"', group: 'g' });
  await fleet.add({ id: 'b', command: 'test -z "$QUEUECTL_GROUP" && echo in none' });
  const env = { QUEUECTL_GROUP: 'of the job that started the worker' };
  await fleet.cli.start(['worker', 'run', '--drain'], { env }).ended;
  assert.deepEqual([await fleet.output('a'), await fleet.output('b')], ['in g', 'in none']);
});

test('QUEUECTL_ATTEMPT restarts at 1 after a manual retry', async (t) => {
  const fleet = await newFleet(t, { backoff_base: 0 });
  await fleet.add({ id: 'a', command: 'echo $QUEUECTL_ATTEMPT >> attempts; exit 1', max_retries: 2 });
  await fleet.worker();
  await fleet.untilState('a', 'dead');
  await fleet.queue.retry(['a']);
  await fleet.untilLines('attempts', 6);
  await fleet.untilState('a', 'dead');
  assert.deepEqual(fleet.lines('attempts'), ['1', '2', '3', '1', '2', '3']);
});

test('a job runs in the directory of its enqueuer, with empty stdin and no open files of its worker', async (t) => {
  const fleet = await newFleet(t);
  fs.mkdirSync(fleet.path('some where'));
  await fleet.cli.run(['enqueue', '--id', 'a', 'pwd -P; cat; ls -l /proc/$$/fd'], {
    cwd: fleet.path('some where'),
  });
  await fleet.worker();
  await fleet.untilState('a', 'completed');
  const output = await fleet.output('a');
  assert.equal(output.split('\n')[0], fs.realpathSync(fleet.path('some where')));
  const links = [...output.matchAll(/ (\d+) -> (\S+)$/gm)].map(([, number, target]) => [number, target]);
  const pipe = links[1]?.[1];
  assert.match(pipe ?? '', /^pipe:/);
  assert.deepEqual(links.slice(0, 3), [
    ['0', '/dev/null'],
    ['1', pipe],
    ['2', pipe],
  ]);
  assert.doesNotMatch(output, / -> .*queue\.db/);
});

test('a missing working directory fails the attempt with that reason', async (t) => {
  const fleet = await newFleet(t, { max_retries: 0 });
  fs.mkdirSync(fleet.path('gone'));
  await fleet.cli.run(['enqueue', '--id', 'a', 'true'], { cwd: fleet.path('gone') });
  fs.rmdirSync(fleet.path('gone'));
  await fleet.worker();
  const job = await fleet.untilState('a', 'dead');
  assert.equal(
    job.lastError,
    `could not start: the working directory '${fs.realpathSync(fleet.cli.folder)}/gone' does not exist`,
  );
  assert.deepEqual(await fleet.outcomes('a'), ['not_started']);
});

test('stdout and stderr are logged in order', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: 'for i in 1 2 3; do echo out $i; echo err $i >&2; done' });
  await fleet.worker();
  await fleet.untilState('a', 'completed');
  assert.equal(await fleet.output('a'), 'out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3');
});

test('a script may write to /dev/stdout and /dev/stderr', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: 'echo one >> /dev/stderr; echo two >> /dev/stdout; echo three' });
  await fleet.add({ id: 'b', command: 'echo one > /dev/stderr' });
  await fleet.worker();
  await fleet.untilState('b', 'completed');
  assert.equal(await fleet.output('a'), 'one\ntwo\nthree');
  assert.match(await fleet.log('b'), /^one$/m);
});

test('a foreground worker prints one line per event', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ command: 'true' });
  const { stdout, stderr } = await fleet.cli.run(['worker', 'run', '--drain']);
  assert.equal(stdout, '');
  const lines = stderr.trimEnd().split('\n');
  assert.equal(lines.length, 4);
  for (const line of lines) assert.match(line, /^\S+Z {2}w\w+ {2}(ready|started|completed|left)/);
});
