// status, list, show, metrics and doctor: what a person sees, and what a monitor reads.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { suite, test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue, type TestQueue } from './support.ts';
import { Exposition } from '../support/prometheus.ts';

async function livedInQueue(queue: TestQueue): Promise<void> {
  const jobs = [
    { id: 'good', command: 'echo fine', priority: 5 },
    { id: 'bad', command: 'echo convert: no such file; exit 2', max_retries: 0 },
    { id: 'mail', command: 'true', queue: 'mail' },
  ];
  await queue.prepare('enqueue', JSON.stringify(jobs));
  await queue.drain();
  const waiting = [
    { id: 'later', command: 'make thumbnails', delay_seconds: 3600 },
    { id: 'now', command: 'true', env: { SECRET: 'hunter2' } },
  ];
  await queue.prepare('enqueue', JSON.stringify(waiting));
}

const ids = (jobs: readonly { id?: unknown }[]): unknown[] => jobs.map(({ id }) => id);

suite('reports', { concurrency: 2 }, () => {
  test('status shows a row for each queue and the next step', async (t) => {
    const queue = newQueue(t);
    assert.match(await queue.text('status'), /queuectl enqueue/);
    await livedInQueue(queue);
    const text = await queue.text('status');
    assert.match(text, /^queue +pending +processing +failed +dead +completed/m);
    assert.match(text, /\ndefault +2 +0 +0 +1 +1/);
    assert.match(text, /\nmail +0 +0 +0 +0 +1/);
    assert.match(text, /1 dead; list them with: queuectl dlq list/);
    assert.match(text, /queuectl worker start/);
    assert.equal((await queue.json('status', '--queue', 'mail')).completed, 1);
    assert.equal((await queue.json('status', '--queue', 'mail')).dead, 0);
  });

  test("status names the queue's location", async (t) => {
    const queue = newQueue(t);
    assert.ok((await queue.text('status')).startsWith(`database ${queue.db}\n`), 'of an empty queue too');
    await queue.enqueue('true');
    assert.ok((await queue.text('status')).startsWith(`database ${queue.db}\n`));
    assert.equal((await queue.json('status')).db, queue.db);
  });

  test('status --watch runs until it is interrupted and prints each change', async (t) => {
    const queue = newQueue(t);
    const watching = queue.start(['status', '--watch', '--json']);
    await until('the first line', () => watching.stdout().includes('\n'));
    await queue.enqueue('true');
    await until('the second line', () => watching.stdout().split('\n').length > 2);
    watching.kill('SIGINT');
    const { code, stdout } = await watching.ended;
    assert.equal(code, 0);
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).pending),
      [0, 1],
    );
  });

  test('list filters by state, queue and text', async (t) => {
    const queue = newQueue(t);
    await livedInQueue(queue);
    assert.deepEqual(ids(await queue.jobs('--state', 'dead')), ['bad']);
    assert.deepEqual(ids(await queue.jobs('--state', 'dead,pending')), ['now', 'later', 'bad']);
    assert.deepEqual(ids(await queue.jobs('--state', 'completed', '-s', 'dead')).sort(), ['bad', 'good', 'mail']);
    assert.deepEqual(ids(await queue.jobs('--queue', 'mail')), ['mail']);
    assert.deepEqual(ids(await queue.jobs('--queue', 'nowhere')), []);
    assert.deepEqual(ids(await queue.jobs('--search', 'thumb')), ['later']);
    assert.deepEqual(ids(await queue.jobs('--search', 'NO SUCH')), ['bad'], 'the last error too, in any case');
    assert.deepEqual(ids(await queue.jobs('--search', '%')), []);
  });

  test('list sorts, reverses and limits', async (t) => {
    const queue = newQueue(t);
    await livedInQueue(queue);
    assert.deepEqual(ids(await queue.jobs()), ['now', 'later', 'mail', 'bad', 'good']);
    assert.deepEqual(ids(await queue.jobs('--reverse')), ['good', 'bad', 'mail', 'later', 'now']);
    assert.deepEqual(ids(await queue.jobs('--sort', '-created')), ['good', 'bad', 'mail', 'later', 'now']);
    assert.equal(ids(await queue.jobs('--sort', 'priority'))[0], 'good');
    assert.deepEqual(ids(await queue.jobs('--sort', 'next-run', '--state', 'pending')), ['now', 'later']);
    const { stdout, stderr } = await queue.run(['list', '-n', '2']);
    assert.equal(stdout.trimEnd().split('\n').length, 3);
    assert.match(stderr, /showing 2 of 5; show all with --limit 0/);
  });

  test('list shows attempts, next run and last error in words', async (t) => {
    const queue = newQueue(t);
    await livedInQueue(queue);
    const text = await queue.text('list');
    assert.match(text, /^bad +dead +.*1 of 1.*exit code 2: convert: no such file$/m);
    assert.match(text, /^later +pending +.*make thumbnails +0 of 4 +in (1 h|59 min).*$/m);
  });

  test('show prints every detail and why a job is not running', async (t) => {
    const queue = newQueue(t);
    await livedInQueue(queue);
    const dead = await queue.text('show', 'bad');
    assert.match(dead, /^bad {2}dead {2}echo convert/);
    assert.match(dead, /\n +1 +\d\d:\d\d:\d\d .*exit code 2: convert: no such file\n/);
    assert.match(dead, /queuectl logs bad · queuectl dlq retry bad/);
    assert.match(await queue.text('show', 'now'), /no worker is running[\s\S]*queuectl worker start/);
    assert.deepEqual(
      (await queue.json<{ waiting_reasons: { reason: string }[] }>('show', 'later')).waiting_reasons.map(
        ({ reason }) => reason,
      ),
      ['scheduled', 'no_worker'],
    );
    assert.doesNotMatch(await queue.text('show', 'now'), /hunter2/);
    assert.match(await queue.text('show', 'now', '--show-env'), /SECRET=hunter2/);
  });

  test("worker list shows each worker's jobs", async (t) => {
    const queue = newQueue(t);
    assert.equal(await queue.text('worker', 'list'), '');
    const worker = await queue.worker('--concurrency', '2', '--queue', 'mail');
    await queue.enqueue('--id', 'a', '--queue', 'mail', 'exec sleep 60');
    await queue.untilState('a', 'processing');
    const [row] = await queue.json<Record<string, unknown>[]>('worker', 'list');
    assert.equal(row?.pid, worker.pid);
    assert.equal(row?.state, 'busy');
    assert.match(JSON.stringify(row), /"a"/);
    assert.match(String(row?.last_heartbeat), /Z$/);
    assert.match(await queue.text('worker', 'list'), new RegExp(`${String(row?.id)} .*busy.*\\ba\\b`));
    await queue.prepare('cancel', 'a');
    await worker.leave();
  });

  test('metrics count and measure jobs', async (t) => {
    const queue = newQueue(t);
    const none = await queue.json('metrics');
    assert.deepEqual([none.total_jobs, none.success_rate], [0, null]);
    assert.match(await queue.text('metrics'), /\S/);
    await livedInQueue(queue);
    const metrics = await queue.json<{
      counts: Record<string, number>;
      run_ms: Record<string, number>;
      [name: string]: unknown;
    }>('metrics');
    assert.equal(metrics.total_jobs, 5);
    assert.deepEqual([metrics.counts.completed, metrics.counts.dead, metrics.counts.pending], [2, 1, 2]);
    assert.ok(Math.abs(Number(metrics.success_rate) - 2 / 3) < 1e-9);
    assert.equal(metrics.average_attempts, 1);
    const { count, min = 0, avg = 0, max = 0, p50 = 0, p95 = 0, p99 = 0 } = metrics.run_ms;
    assert.equal(count, 3);
    assert.ok(min <= p50 && p50 <= p95 && p95 <= p99 && p99 <= max && min <= avg && avg <= max);
    const text = await queue.text('metrics');
    assert.match(text, /success rate +66\.[67] %/);
    assert.match(text, /run time .*\n +last hour .*\n +last day .*\nwaiting time /);
    assert.match(text, /^last hour +5 enqueued · 2 completed · 1 attempt failed · 1 dead$/m);
  });

  test('metrics cover past periods, also for deleted jobs', async (t) => {
    const queue = newQueue(t);
    assert.equal(await queue.text('metrics', '--since', '1h'), 'no data\n');
    await livedInQueue(queue);
    await queue.text('prune', '--keep', '0', '--yes', '--state', 'completed,dead');
    const { ever, last_day } = await queue.json<Record<'ever' | 'last_day', Record<string, number>>>('metrics');
    for (const told of [ever, last_day]) assert.deepEqual([told.enqueued, told.completed, told.dead], [5, 2, 1]);
    const series = await queue.json<{ points: Record<string, unknown>[]; sum: Record<string, unknown> }>(
      'metrics', '--since', '2h', '--step', '10m', '--queue', 'mail'); // biome-ignore format: as it is typed
    assert.ok(series.points.length >= 12 && series.points.length <= 14);
    assert.deepEqual([series.sum.enqueued, series.sum.completed, series.sum.dead], [1, 1, 0]);
    assert.match(
      await queue.text('metrics', '--since', '2h'),
      /^from +enqueued +completed[\s\S]*\n\d{4}-\d\d-\d\d \d\d:\d\d +/,
    );
    for (const args of [
      ['--step', '1m'],
      ['--since', '0s'],
    ])
      assert.equal((await queue.run(['metrics', ...args])).code, 2, args.join(' '));
  });

  test('metrics --prometheus is valid Prometheus text', async (t) => {
    const queue = newQueue(t);
    for (const isLivedIn of [false, true]) {
      if (isLivedIn) await livedInQueue(queue);
      const told = new Exposition(await queue.text('metrics', '--prometheus'));
      if (isLivedIn) {
        assert.equal(told.value('queuectl_jobs', { queue: 'default', state: 'dead' }), 1);
        assert.equal(told.value('queuectl_attempts_ended_total', { queue: 'mail', outcome: 'completed' }), 1);
        assert.equal(told.value('queuectl_attempt_run_seconds_count', { queue: 'default' }), 2);
      }
    }
    assert.equal((await queue.run(['metrics', '--prometheus', '--json'])).code, 2);
  });

  test('doctor reports a healthy queue as healthy', async (t) => {
    const queue = newQueue(t);
    assert.match(await queue.text('doctor'), /\nall checks passed\n$/);
    await queue.finished('--id', 'a', 'true');
    const { ok, checks } = await queue.json<{ ok: boolean; checks: { status: string }[] }>('doctor');
    assert.equal(ok, true);
    assert.deepEqual(new Set(checks.map(({ status }) => status)), new Set(['ok']));
  });

  test('doctor warns of files that other users can read and of jobs that no worker serves', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('true');
    fs.chmodSync(queue.home, 0o755);
    fs.chmodSync(queue.db, 0o644);
    const { code, stdout } = await queue.run(['doctor']);
    assert.equal(code, 0);
    assert.match(stdout, /warn +files/);
    assert.match(stdout, /warn +(queues|workers)/);
  });
});
