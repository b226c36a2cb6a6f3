// Groups, dead letters, queues, schedules, workers, settings and how the queue is doing. Each answer is held against the
// document by ask() itself.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { Bench } from '../contract/bench.ts';
import { asRole, startServer, type TestServer } from './support.ts';

/** A worker, w1, on the queue of a server; it runs what it is told to. */
async function workerOn(t: TestContext, { queue }: TestServer): Promise<Bench> {
  const bench = new Bench({ open: () => openStore(queue.place, { environment: {} }), remove: () => {} });
  t.after(() => bench.close());
  await bench.begin();
  return bench;
}

const namesOf = (list: { name: string }[]): string[] => list.map(({ name }) => name);

test('groups are listed in pages, read, retried, cancelled and deleted', async (t) => {
  const server = await startServer(t);
  const { ask, queue } = server;
  const jobs = ['g1', 'g2', 'g3'].flatMap((group) => [
    { id: `${group}-a`, command: 'true', group, max_retries: 0 },
    { id: `${group}-b`, command: 'true', group, depends_on: [`${group}-a`] },
  ]);
  await ask('POST', '/jobs', jobs);
  const first = await ask('GET', '/groups?limit=2');
  const second = await ask('GET', `/groups?limit=2&after=${first.json.next}`);
  assert.deepEqual(namesOf([...first.json.groups, ...second.json.groups]).sort(), ['g1', 'g2', 'g3']);
  assert.equal(second.json.next, null);
  assert.equal((await ask('GET', '/groups?after=elsewhere')).json.code, 'invalid_cursor');

  const worker = await workerOn(t, server);
  await worker.run('g1-a', 'failed');
  const group = await ask('GET', '/groups/g1');
  assert.deepEqual([group.json.total, group.json.dead, group.json.failed_jobs[0].id], [2, 1, 'g1-a']);
  assert.equal((await ask('GET', '/groups/g1/graph')).json.nodes.length, 2);
  const retried = await ask('POST', '/groups/g1/retry');
  assert.deepEqual([retried.json.changed, retried.json.pending], [1, 1]);
  assert.equal((await ask('POST', '/groups/g2/cancel', {})).json.cancelled, 2);
  assert.equal((await ask('DELETE', '/groups/g2')).status, 204);
  assert.equal(await queue.get('g2-a'), null);
  for (const [method, path] of [
    ['GET', '/groups/none'],
    ['POST', '/groups/none/cancel'],
    ['DELETE', '/groups/none'],
  ] as const)
    assert.equal((await ask(method, path)).json.code, 'group_not_found');
});

test('a part of a workflow is previewed, and runs again completely or not at all', async (t) => {
  const server = await startServer(t);
  const { ask, queue } = server;
  await ask('POST', '/jobs', [
    { id: 'a', command: 'true', group: 'g', max_retries: 0 },
    { id: 'b', command: 'true', group: 'g', depends_on: ['a'] },
  ]);
  const worker = await workerOn(t, server);
  await worker.run('a', 'failed');
  const wish = { targets: ['group:g'], mode: 'all' };
  const planned = await ask('POST', '/jobs/rerun', { ...wish, dry_run: true });
  assert.deepEqual([planned.json.retry, planned.json.block], [['a'], ['b']]);
  assert.deepEqual(planned.json.jobs[0], {
    id: 'a',
    name: null,
    command: 'true',
    state: 'dead',
    becomes: 'pending',
  });
  assert.equal((await queue.find('a')).state, 'dead');
  const done = await ask('POST', '/jobs/rerun', wish);
  assert.deepEqual(done.json, planned.json);
  assert.deepEqual([(await queue.find('a')).state, (await queue.find('b')).state], ['pending', 'blocked']);
  assert.equal((await ask('POST', '/jobs/rerun', { ...wish, mode: 'failed-only' })).json.retry.length, 0);

  await worker.take('a');
  assert.equal((await ask('POST', '/jobs/rerun', wish)).json.code, 'wrong_state');
  assert.equal((await ask('POST', '/jobs/rerun', { ...wish, targets: ['group:none'] })).json.code, 'group_not_found');
  assert.equal((await ask('POST', '/jobs/rerun', { ...wish, targets: ['none'] })).json.code, 'job_not_found');
  assert.equal((await ask('POST', '/jobs/rerun', { ...wish, mode: 'some' })).status, 400);
  const entries = (await ask('GET', '/activity')).json.activity ?? [];
  assert.ok(JSON.stringify(entries).includes('"group:g"'), 'who did it is written down');
});

test('dead jobs are counted by error, with the number of deaths on each of the last days', async (t) => {
  const server = await startServer(t);
  const { ask } = server;
  await ask(
    'POST',
    '/jobs',
    ['a', 'b', 'c'].map((id) => ({ id, command: 'true', max_retries: 0 })),
  );
  const worker = await workerOn(t, server);
  for (const id of ['a', 'b']) await worker.end(await worker.take(id), 'failed', { error: 'no paper' });
  await worker.end(await worker.take('c'), 'failed', { error: 'the disk is full' });
  const { errors } = (await ask('GET', '/dlq?by=error')).json;
  assert.deepEqual(
    errors.map(({ error, count, sample_id }: Record<string, unknown>) => [error, count, sample_id]),
    [
      ['no paper', 2, 'b'],
      ['the disk is full', 1, 'c'],
    ],
  );
  assert.deepEqual(errors[0].trend, [...Array(13).fill(0), 2]);
  const filtered = await ask('GET', `/dlq?filter=error:${errors[1].fingerprint}`);
  assert.equal(filtered.json.errors.length, 1);
});

test('queues are limited, paused, drained and resumed, one or all of them', async (t) => {
  const { ask } = await startServer(t);
  await ask('POST', '/jobs', { id: 'a', command: 'true', queue: 'mail' });
  const limits = { concurrency: 2, rate: '10/s', burst: 5 };
  const limited = await ask('PATCH', '/queues/mail', limits);
  assert.deepEqual([limited.json.concurrency, limited.json.rate_per_second, limited.json.burst], [2, 10, 5]);
  const freed = await ask('PATCH', '/queues/mail', { rate: null });
  assert.deepEqual([freed.json.concurrency, freed.json.rate_per_second, freed.json.burst], [2, null, null]);
  assert.equal((await ask('POST', '/queues/mail/pause')).json.paused, true);
  assert.equal((await ask('POST', '/queues/mail/drain')).json.draining, true);
  assert.equal((await ask('POST', '/jobs', { command: 'true', queue: 'mail' })).status, 409);
  assert.equal((await ask('POST', '/queues/mail/resume')).json.draining, false);
  assert.deepEqual((await ask('POST', '/pause')).json, { all_paused: true, paused_queues: [] });
  assert.equal((await ask('GET', '/queues')).json.queues[0].paused, true);
  assert.equal((await ask('POST', '/resume')).json.all_paused, false);
  assert.equal((await ask('GET', '/queues/never-seen')).json.pending, 0);
  for (const body of [{}, { rate: 'often' }, { concurrency: 0 }, { limit: 3 }])
    assert.equal((await ask('PATCH', '/queues/mail', body)).json.code, 'invalid_request');
  assert.equal((await ask('POST', '/queues/*/pause')).json.code, 'invalid_request');
});

test("the isolation of a queue's jobs is set: limits by an operator, sandbox and user by an admin", async (t) => {
  const server = await startServer(t);
  const { ask } = server;
  const operator = await asRole(server, 'operator');
  const limited = await operator('PATCH', '/queues/ci', { limits: { memory: '64M', nice: 5 } });
  assert.deepEqual(limited.json.limits, { memory_bytes: 67_108_864, nice: 5 });
  for (const body of [{ sandbox: null }, { user: 'ann' }, { sandbox: 'strict', concurrency: 2 }]) {
    const rejected = await operator('PATCH', '/queues/ci', body);
    assert.deepEqual([rejected.status, rejected.json.code], [403, 'not_allowed'], JSON.stringify(body));
  }
  const confined = await ask('PATCH', '/queues/ci', {
    sandbox: 'strict',
    user: 'ann',
    limits: { nice: null },
  });
  const { sandbox, user, limits, concurrency } = confined.json;
  assert.deepEqual([sandbox, user, limits, concurrency], ['strict', 'ann', { memory_bytes: 67_108_864 }, null]);
  const other = await ask('POST', '/jobs', { command: 'true', queue: 'ci', sandbox: 'network' });
  assert.equal(other.json.code, 'invalid_job');
  for (const body of [
    { concurrency: 3, sandbox: 'strct' },
    { concurrency: 3, limits: { memory: 'much' } },
    { sandbox: 'network', hooks: { on_dead: 'ftp://x' } },
    { sandbox: 'network', rate: 'often' },
  ])
    assert.equal((await ask('PATCH', '/queues/ci', body)).status, 400, JSON.stringify(body));
  assert.deepEqual((await ask('GET', '/queues/ci')).json, confined.json, 'nothing was changed');
  const freed = await ask('PATCH', '/queues/ci', { sandbox: null, user: null, limits: { memory: null } });
  assert.deepEqual([freed.json.sandbox, freed.json.user, freed.json.limits], [null, null, null]);
});

test('schedules are added, read, changed, run manually and deleted', async (t) => {
  const { ask, queue } = await startServer(t);
  const added = await ask('POST', '/schedules', {
    name: 'backup',
    cron: '30 2 * * *',
    tz: 'Europe/Berlin',
    overlap: 'skip',
    job: { command: './backup.sh', queue: 'slow', env: { TOKEN: 'tea' } },
  });
  assert.deepEqual([added.status, added.json.words, added.json.next.length], [201, 'every day at 02:30', 5]);
  assert.equal((await ask('GET', '/schedules')).json.schedules.length, 1);
  assert.equal((await ask('GET', '/schedules/backup/next?count=3')).json.next.length, 3);
  const edited = await ask('PATCH', '/schedules/backup', { every: '90s', jitter_seconds: 10 });
  assert.deepEqual([edited.json.every_seconds, edited.json.job.command], [90, './backup.sh']);
  assert.equal((await ask('POST', '/schedules/backup/pause')).json.state, 'paused');
  assert.equal((await ask('POST', '/schedules/backup/resume')).json.state, 'active');
  const run = await ask('POST', '/schedules/backup/run');
  assert.deepEqual([run.status, run.json.queue], [201, 'slow']);
  const { ticks } = (await ask('GET', '/schedules/backup/ticks')).json;
  assert.deepEqual([ticks[0].reason, ticks[0].job], ['by_hand', run.json.id]);
  assert.equal((await ask('GET', '/schedules/backup')).json.ticks.length, 1);
  assert.equal((await ask('DELETE', '/schedules/backup')).status, 204);
  assert.equal((await ask('GET', '/schedules/backup')).json.code, 'schedule_not_found');
  assert.ok(await queue.get(run.json.id));
});

test('the runs of a schedule can be previewed before it exists', async (t) => {
  const { ask, queue } = await startServer(t);
  const { json } = await ask('POST', '/schedules/preview', { cron: '0 9 * * MON', tz: 'UTC' });
  assert.deepEqual([json.words, json.time_zone, json.next.length], ['at 09:00, only on Monday', 'UTC', 5]);
  for (const body of [{}, { cron: 'often' }, { cron: '0 0 30 2 *' }, { cron: '@daily', every: '1h' }])
    assert.equal((await ask('POST', '/schedules/preview', body)).json.code, 'invalid_schedule');
  assert.deepEqual(await (await queue.schedules()).all(), []);
  assert.deepEqual((await ask('GET', '/activity')).json.activity, [], 'nothing was done');
});

test('a read-only server still previews the runs of a schedule', async (t) => {
  const { ask } = await startServer(t, { readOnly: true });
  assert.equal((await ask('POST', '/schedules/preview', { every: '1h' })).status, 200);
});

test('a worker is shown and asked to stop', async (t) => {
  const server = await startServer(t);
  const { ask, queue } = server;
  await workerOn(t, server);
  assert.equal((await ask('GET', '/workers')).json.workers[0].id, 'w1');
  const stopped = await ask('POST', '/workers/w1/stop', { force: true });
  assert.equal(stopped.status, 202);
  assert.equal((await queue.workers())[0]?.stopRequested, 'force');
  assert.equal((await ask('POST', '/workers/w9/stop')).json.code, 'worker_not_found');
});

test('settings are shown with their source, stored and reset', async (t) => {
  const { ask, queue } = await startServer(t);
  assert.deepEqual((await ask('PUT', '/settings/max-retries', { value: 7 })).json, {
    key: 'max_retries',
    value: 7,
    source: 'stored',
    default: 3,
    description: descriptionOf((await ask('GET', '/settings')).json.settings, 'max_retries'),
  });
  assert.equal((await queue.settings()).number('max_retries'), 7);
  assert.equal((await ask('PUT', '/settings/job_timeout', { value: null })).json.value, null);
  assert.equal((await ask('DELETE', '/settings/max_retries')).json.source, 'default');
  assert.equal((await ask('PUT', '/settings/max_retries', { value: 'many' })).json.code, 'invalid_setting');
  assert.equal((await ask('PUT', '/settings/nothing', { value: 1 })).json.code, 'unknown_setting');
});

const descriptionOf = (settings: { key: string; description: string }[], key: string): string =>
  (settings.find((setting) => setting.key === key) ?? assert.fail(key)).description;

test('problems that need attention are returned with a remedy', async (t) => {
  const server = await startServer(t);
  const { ask } = server;
  const itemsNow = async () => (await ask('GET', '/stats/attention')).json.items;
  assert.deepEqual(await itemsNow(), []);
  await ask('POST', '/jobs', { id: 'a', command: 'true', max_retries: 0 });
  const [waiting] = await itemsNow();
  assert.deepEqual(
    [waiting.severity, waiting.title, waiting.command, waiting.link],
    ['warning', 'jobs are waiting, but no worker is running', 'queuectl worker start', '/workers'],
  );
  const worker = await workerOn(t, server);
  await worker.run('a', 'failed');
  await ask('POST', '/pause');
  const items = await itemsNow();
  const commands = items.map(({ command }: { command: string }) => command);
  assert.ok(commands.includes('queuectl dlq list --group-by error'), commands.join());
  assert.ok(commands.includes('queuectl queue resume'), commands.join());
  assert.equal((await ask('GET', '/stats')).json.dead, 1);
  assert.equal((await ask('GET', '/stats?queue=mail')).json.dead, 0);
});

test('the hooks of a queue, the figures, and a rerun of a part of a workflow', async (t) => {
  const { ask, queue } = await startServer(t);
  const hooked = await ask('PATCH', '/queues/mail', { hooks: { on_dead: 'echo x', on_failure: 'echo y' } });
  assert.deepEqual(hooked.json.hooks, { on_dead: 'echo x', on_failure: 'echo y' });
  const less = await ask('PATCH', '/queues/mail', { hooks: { on_failure: null } });
  assert.deepEqual(less.json.hooks, { on_dead: 'echo x' });
  await queue.enqueue([{ id: 'a', command: 'true' }]);
  assert.equal((await ask('GET', '/stats/metrics')).json.total_jobs, 1);
  await queue.cancel(['a']);
  const wish = { targets: ['a'], mode: 'all' };
  const planned = await ask('POST', '/jobs/rerun', { ...wish, dry_run: true });
  const { jobs: _, ...plan } = planned.json;
  assert.deepEqual(plan, { retry: ['a'], block: [], release: [] });
  assert.equal((await queue.find('a')).state, 'cancelled');
  assert.deepEqual((await ask('POST', '/jobs/rerun', wish)).json, planned.json);
  assert.equal((await queue.find('a')).state, 'pending');
});
