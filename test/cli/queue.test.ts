// Named queues on the command line: limits, pauses, draining.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Document, newQueue } from './support.ts';

test('a queue can be limited, shown, and unlimited again', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.text('queue', 'set', 'mail', '--concurrency', '2', '--rate', '30/m'), /2 at once, 30\/m/);
  const [shown] = await queue.json<Document[]>('queue', 'list');
  assert.deepEqual([shown?.queue, shown?.concurrency, shown?.rate_per_second], ['mail', 2, 0.5]);
  await queue.text('queue', 'set', 'mail', '--concurrency', 'none', '--rate', 'none');
  assert.deepEqual(await queue.json('queue', 'list'), []);
});

test('an invalid limit is rejected with the valid range and changes nothing', async (t) => {
  const queue = newQueue(t);
  for (const [args, problem] of [
    [['--concurrency', '0'], /whole number from 1/],
    [['--concurrency', '-1'], /whole number from 1|requires a value|not '-1'/],
    [['--rate', '10'], /invalid rate[\s\S]*10\/s/],
    [['--burst', 'many'], /whole number/],
    [['--burst', '3'], /'burst' requires a rate, and queue mail has none/],
    [['--burst', '3', '--rate', 'none'], /'burst' requires a rate/],
    [[], /nothing to set/],
  ] as const) {
    assert.match(await queue.rejected(2, ['queue', 'set', 'mail', ...args]), problem);
  }
  assert.match(await queue.rejected(2, ['queue', 'pause', 'ma il']), /invalid queue name/);
  assert.deepEqual(await queue.json('queue', 'list'), []);
});

test('a paused queue does not start jobs, and pause without a name pauses every queue', async (t) => {
  const queue = newQueue(t);
  await queue.prepare('enqueue', '--queue', 'mail', 'true');
  assert.match(await queue.text('queue', 'pause', 'mail'), /queue mail paused/);
  assert.match(await queue.text('pause'), /all queues paused/);
  const [mail] = await queue.json<Document[]>('queue', 'list');
  assert.deepEqual([mail?.paused, mail?.pending], [true, 1]);
  assert.match(await queue.text('resume'), /all queues resumed/);
  await queue.text('queue', 'resume', 'mail');
  assert.equal((await queue.json('queue', 'show', 'mail')).paused, false);
});

test('a draining queue accepts no new jobs until it is resumed', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.text('queue', 'drain', 'mail'), /queue mail drained/);
  assert.match(await queue.rejected(4, ['enqueue', '--queue', 'mail', 'true']), /accepts no new jobs/);
  assert.match(
    await queue.rejected(4, ['enqueue', '-', '--lines', '--queue', 'mail'], { input: 'true\n' }),
    /accepts no new jobs/,
  );
  await queue.text('resume', 'mail');
  await queue.prepare('enqueue', '--queue', 'mail', 'true');
  assert.match(await queue.text('queue', 'drain', 'mail', '--no-wait'), /1 job left/);
  assert.equal((await queue.json('status')).pending, 1);
});

test('drain reports immediately that no worker serves the jobs it waits for', async (t) => {
  const queue = newQueue(t);
  await queue.prepare('enqueue', '--queue', 'mail', 'true');
  const { code, stderr } = await queue.run(['queue', 'drain', 'mail', '--timeout', '0.1']);
  assert.equal(code, 124);
  assert.match(stderr, /^no worker serves queue mail; start one: queuectl worker start/);
});

test('one job of a key runs at a time', async (t) => {
  const queue = newQueue(t);
  for (let i = 0; i < 3; i++) await queue.prepare('enqueue', '--key', 'db', `date +%s%N; sleep 0.05; date +%s%N`);
  assert.equal((await queue.run(['worker', 'run', '--drain', '--concurrency', '3'])).code, 0);
  const jobs = await queue.json<Document[]>('list');
  const spans: [number, number][] = [];
  for (const { id } of jobs) {
    const [from, to] = (await queue.text('logs', String(id), '--raw')).trim().split('\n').map(Number);
    spans.push([from ?? 0, to ?? 0]);
  }
  spans.sort(([a], [b]) => a - b);
  for (const [i, [from]] of spans.entries()) assert.ok(i === 0 || from >= (spans[i - 1]?.[1] ?? 0), 'they overlap');
});

test('a job heavier than every worker is accepted whichever workers run, and enqueue reports that it waits', async (t) => {
  const queue = newQueue(t);
  const line = ['enqueue', '--weight', '5', 'true'];
  assert.equal((await queue.run(line)).stderr, ''); // a worker that starts later may have any number of slots
  await queue.text('worker', 'start', '--concurrency', '2');
  const { code, stderr } = await queue.run(line);
  assert.equal(code, 0);
  assert.match(stderr, /needs 5 slots, but no worker of queue default has more than 2; the job waits/);
  await queue.text('worker', 'stop');
  assert.match(await queue.rejected(2, ['enqueue', '--weight', '0', 'true']), /from 1 to/);
});

test('a mistyped queue is answered with the nearest existing queue', async (t) => {
  for (const args of [['pause'], ['resume'], ['drain', '--no-wait'], ['set', '--concurrency', '2']]) {
    const queue = newQueue(t);
    await queue.prepare('enqueue', '--queue', 'mail', 'true');
    const [verb = '', ...options] = args;
    const run = (name: string) => queue.run(['queue', verb, name, ...options]);
    const { code, stderr } = await run('mial');
    assert.deepEqual([code, stderr], [0, "queue 'mial' has no jobs; did you mean 'mail'?\n"]);
    assert.equal((await run('photos')).stderr, '', 'a new queue');
    assert.equal((await run('mail')).stderr, '', 'a known queue');
  }
});
