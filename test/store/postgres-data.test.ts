// What a server cannot store: it must not keep a worker from reporting, and a database that could not hold every text is
// no place for a queue.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openPostgres } from '../../src/store/postgres/store.ts';
import type { Claimed, EndReport, Store } from '../../src/store/store.ts';
import { identity, policy } from '../contract/bench.ts';
import { endings, newJob } from '../support/jobs.ts';
import { ask, sharedServer } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { plainWorker, sign } from '../support/workers.ts';
import { idleTurn } from './idle-turn.ts';
import { type PostgresPlace, postgresPlace, quoted } from './postgres-place.ts';

const turn = { ...idleTurn, worker: identity('w1'), policy };

async function scene(t: TestContext): Promise<PostgresPlace & { store: Store }> {
  const place = await postgresPlace();
  t.after(() => place.remove());
  const store = await openPostgres(place.url);
  t.after(() => store.close());
  await store.registerWorker({ ...turn.worker, ...plainWorker, concurrency: 3 });
  return { ...place, store };
}

async function claim(store: Store, ...ids: string[]): Promise<readonly Claimed[]> {
  await store.enqueue(ids.map((id) => newJob(id)));
  return (await store.turn({ ...turn, want: ids.length })).claimed;
}

const failing = ({ seq, run }: Claimed, error: string, more: object = {}): EndReport => ({
  seq,
  run,
  ending: { ...endings.failed, error, ...more },
});

for (const [what, said, stored] of [
  ['a NUL', 'a\0b', 'a\ufffdb'],
  ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
] as const) {
  test(`${what} in a job's report is replaced`, async (t) => {
    const { store } = await scene(t);
    const [job] = await claim(store, 'x');
    assert.ok(job);
    await store.turn({ ...turn, ended: [failing(job, said)], want: 0 });
    assert.equal((await store.find('x')).lastError, stored);
    assert.equal((await store.history('x'))[0]?.error, stored);
    assert.deepEqual(await store.renew('w1', sign(said)), []);
    assert.equal((await store.workers())[0]?.notice, stored);
  });
}

test('a report that the server rejects is written without its texts, and others unchanged', async (t) => {
  const { store, server, schema } = await scene(t);
  const [a, b, c] = await claim(store, 'a', 'b', 'c');
  assert.ok(a && b && c);
  await ask(server, `ALTER TABLE ${quoted(schema)}.jobs ALTER last_error TYPE varchar(40)`);
  await store.enqueue([newJob('next')]);
  const ended = [failing(a, 'short'), failing(b, 'much too long '.repeat(9)), { ...c, ending: endings.completed }];
  const { settled, claimed } = await store.turn({ ...turn, ended, want: 1 });
  assert.deepEqual(
    settled.map(({ seq, state }) => [seq, state]),
    [
      [a.seq, 'failed'],
      [b.seq, 'failed'],
      [c.seq, 'completed'],
    ],
  );
  assert.deepEqual(
    claimed.map(({ job }) => job.id),
    ['next'],
  );
  const jobs = await Promise.all(['a', 'b', 'c'].map((id) => store.find(id)));
  assert.deepEqual(
    jobs.map(({ lastError, exitCode }) => [lastError, exitCode]),
    [
      ['short', 7],
      ['its report could not be stored', 7],
      [null, 0],
    ],
  );
  assert.deepEqual(await store.check(), []);
});

test('a number that fits no column does not prevent recording an outcome', async (t) => {
  const { store } = await scene(t);
  const [a, b] = await claim(store, 'a', 'b');
  assert.ok(a && b);
  const started = [{ seq: a.seq, run: a.run, pid: 2 ** 80, pidStartedAt: null }];
  await store.turn({ ...turn, started, ended: [failing(b, 'odd', { durationMs: 1.5 })], want: 0 });
  assert.deepEqual([(await store.find('b')).state, (await store.find('b')).durationMs], ['failed', 0]);
});

test('values from a store with larger limits are made to fit', async (t) => {
  const { store } = await scene(t);
  const [job] = await claim(store, 'x');
  assert.ok(job);
  await store.turn({ ...turn, ended: [failing(job, 'fine')], want: 0 });
  const [copied] = await store.copyOut(0, 1);
  assert.ok(copied);
  const there = await scene(t);
  await there.store.copyIn([{ ...copied, job: { ...copied.job, last_error: 'a\0b\ud800c' } }]);
  assert.equal((await there.store.find('x')).lastError, 'a\ufffdb\ufffdc');
});

for (const encoding of ['LATIN1', 'SQL_ASCII']) {
  test(`a database in ${encoding} is rejected with the command for a valid one`, async (t) => {
    const server = await sharedServer();
    const name = `encoding_${encoding}_${process.pid}`;
    const locale = "LC_COLLATE 'C' LC_CTYPE 'C'";
    await ask(server, `CREATE DATABASE ${quoted(name)} ENCODING '${encoding}' ${locale} TEMPLATE template0`);
    t.after(async () => {
      await ask(server, `DROP DATABASE ${quoted(name)} WITH (FORCE)`);
    });
    const address = new URL(server);
    address.pathname = `/${name}`;
    const error = await rejection('store_encoding', () => openPostgres(address.href));
    assert.match(error.message, new RegExp(`has the encoding ${encoding}; queuectl requires UTF8`));
    assert.match(error.hint ?? '', /CREATE DATABASE .* ENCODING 'UTF8'/);
    assert.deepEqual(await ask(address.href, "SELECT 1 FROM pg_namespace WHERE nspname = 'queuectl'"), []);
  });
}
