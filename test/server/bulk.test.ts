import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BulkRuns, type BulkWish } from '../../src/server/bulk-runs.ts';
import { until } from '../support/until.ts';
import { startServer, type TestServer } from './support.ts';

async function withJobs({ ask }: TestServer, count: number): Promise<void> {
  const jobs = Array.from({ length: count }, (_, i) => ({ id: `j${i}`, command: 'true', tags: ['t'] }));
  assert.equal((await ask('POST', '/jobs', jobs)).status, 201);
}

const ended = ({ ask }: TestServer, id: string) =>
  until('it has ended', async () => {
    const { json } = await ask('GET', `/bulk/${id}`);
    return json.state === 'running' ? undefined : json;
  });

test('a dry run returns the number of jobs and changes none', async (t) => {
  const server = await startServer(t);
  await withJobs(server, 12);
  const dry = { action: 'cancel', filter: 'tag:t', dry_run: true };
  const { status, json } = await server.ask('POST', '/jobs/bulk', dry);
  assert.deepEqual([status, json.count, json.sample.length, json.sample[0]], [200, 12, 10, 'j0']);
  assert.equal(await server.queue.countOf({ states: ['pending'] }), 12);
});

test('all matching jobs are changed, and the progress shows when that is complete', async (t) => {
  const server = await startServer(t);
  await withJobs(server, 1200);
  const begun = await server.ask('POST', '/jobs/bulk', { action: 'cancel', filter: 'tag:t' });
  assert.equal(begun.status, 202);
  const { started_at, ended_at, ...run } = await ended(server, begun.json.bulk);
  assert.ok(started_at <= ended_at);
  assert.deepEqual(run, {
    id: begun.json.bulk,
    action: 'cancel',
    by: 'owner',
    state: 'done',
    total: 1200,
    done: 1200,
    changed: 1200,
    rejected: 0,
    rejections: [],
    error: null,
  });
  assert.equal(await server.queue.countOf({ states: ['cancelled'] }), 1200);
  assert.equal((await server.ask('GET', '/bulk')).json.bulk[0].id, run.id);
});

test('jobs named by ID are changed, and jobs in other states are left unchanged', async (t) => {
  const server = await startServer(t);
  await withJobs(server, 3);
  await server.queue.cancel(['j0']);
  const wish = { action: 'retry', ids: ['j0', 'j1', 'nobody', 'j0'] };
  assert.deepEqual((await server.ask('POST', '/jobs/bulk', { ...wish, dry_run: true })).json, {
    count: 1,
    sample: ['j0'],
  });
  const begun = await server.ask('POST', '/jobs/bulk', wish);
  assert.equal((await ended(server, begun.json.bulk)).changed, 1);
  assert.equal((await server.queue.get('j0'))?.state, 'pending');
});

test('every action has its effect', async (t) => {
  const server = await startServer(t);
  await withJobs(server, 2);
  const run = async (wish: object): Promise<void> => {
    const begun = await server.ask('POST', '/jobs/bulk', { filter: 'tag:t', ...wish });
    assert.equal(begun.status, 202, JSON.stringify(begun.json));
    assert.deepEqual(await ended(server, begun.json.bulk).then(({ state, changed }) => [state, changed]), ['done', 2]);
  };
  const j1 = async () => server.queue.find('j1');
  await run({ action: 'hold', reason: 'the disk' });
  assert.equal((await j1()).held, 'the disk');
  await run({ action: 'release' });
  assert.equal((await j1()).held, null);
  await run({ action: 'edit', edit: { priority: 9, run_at: '+1h' } });
  assert.equal((await j1()).priority, 9);
  await run({ action: 'move', queue: 'slow' });
  assert.equal((await j1()).queue, 'slow');
  await run({ action: 'run-now' });
  assert.equal((await j1()).runAt, null);
  await run({ action: 'cancel' });
  await run({ action: 'retry' });
  await run({ action: 'delete' });
  assert.equal(await server.queue.countOf({}), 0);
});

test('IDs next to a filter select matching jobs, and a dry run returns as many as requested', async (t) => {
  const server = await startServer(t);
  await withJobs(server, 12);
  const among = { action: 'hold', filter: 'id:j1', ids: ['j0', 'j1', 'j2'], dry_run: true };
  assert.deepEqual((await server.ask('POST', '/jobs/bulk', among)).json, { count: 1, sample: ['j1'] });
  const all = { action: 'hold', filter: 'tag:t', dry_run: true };
  assert.equal((await server.ask('POST', '/jobs/bulk', all)).json.sample.length, 10);
  assert.equal((await server.ask('POST', '/jobs/bulk', { ...all, sample: 100 })).json.sample.length, 12);
});

test('an ambiguous change is rejected, and nothing is changed', async (t) => {
  const server = await startServer(t);
  await withJobs(server, 1);
  const wishes = [
    { action: 'cancel' },
    { action: 'cancel', filter: ' ' },
    { action: 'cancel', filter: 'tag:t', reason: 'why not' },
    { action: 'edit', filter: 'tag:t' },
    { action: 'move', filter: 'tag:t' },
    { action: 'explode', filter: 'tag:t' },
    { action: 'cancel', filter: 'tag:t', dryrun: true },
  ];
  for (const wish of wishes) {
    const { status, json } = await server.ask('POST', '/jobs/bulk', wish);
    assert.deepEqual([status, json.code], [400, 'invalid_request'], JSON.stringify(wish));
  }
  const badEdit = await server.ask('POST', '/jobs/bulk', { action: 'edit', filter: 'tag:t', edit: { x: 1 } });
  assert.deepEqual([badEdit.status, badEdit.json.code], [400, 'invalid_job']);
  assert.equal((await server.queue.find('j0')).state, 'pending');
  assert.equal((await server.ask('GET', '/bulk/nobody')).json.code, 'bulk_not_found');
});

const cancelling = ({ queue }: TestServer, ids: readonly string[]): BulkWish => ({
  action: 'cancel',
  by: 'somebody',
  total: ids.length,
  work: (progress) => queue.changeMany(ids, {}, { kind: 'cancel' }, progress),
});

test('a bulk operation stops on request and with the server, and reports its progress', async (t) => {
  const server = await startServer(t);
  await withJobs(server, 2000);
  const bulk = new BulkRuns(server.queue);
  const ids = await server.queue.idsOf({ sort: 'created', descending: false, limit: null });
  const wish = cancelling(server, ids);
  const stopped = bulk.start(wish);
  await until('it has begun', () => stopped.done > 0);
  bulk.stop(stopped.id);
  const closed = bulk.start(wish);
  await bulk.close();
  assert.deepEqual([stopped.state, stopped.error], ['stopped', 'stopped by a user']);
  assert.deepEqual([closed.state, closed.error], ['stopped', 'the server was stopped']);
  assert.ok(stopped.done < stopped.total);
  const cancelled = await server.queue.countOf({ states: ['cancelled'] });
  assert.equal(cancelled, stopped.changed + closed.changed);
});

test('only a few bulk operations run at once', async (t) => {
  const server = await startServer(t);
  await withJobs(server, 1000);
  const bulk = new BulkRuns(server.queue);
  const ids = await server.queue.idsOf({ sort: 'created', descending: false, limit: null });
  const wish = cancelling(server, ids);
  for (let i = 0; i < 4; i++) bulk.start(wish);
  assert.throws(() => bulk.start(wish), { code: 'too_many_bulks' });
  await bulk.close();
});
