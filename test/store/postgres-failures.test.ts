// A server that goes away, turns us away or stops answering: an ordinary event, met with patience and plain words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { QueueError } from '../../src/errors/errors.ts';
import { pruneByRetention } from '../../src/maintenance/prune.ts';
import { Settings } from '../../src/settings/settings.ts';
import { openPostgres, type PostgresOptions } from '../../src/store/postgres/store.ts';
import type { Store } from '../../src/store/store.ts';
import { identity, policy } from '../contract/bench.ts';
import { Detour } from '../support/detour.ts';
import { endings, newJob } from '../support/jobs.ts';
import { addressWith, ask, freePort, startServer } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { until } from '../support/until.ts';
import { idleTurn } from './idle-turn.ts';
import { type PostgresPlace, postgresPlace, quoted } from './postgres-place.ts';
import { plainWorker, rescue } from '../support/workers.ts';

interface Ending {
  after(work: () => void | Promise<void>): void;
}

async function place(t: Ending): Promise<PostgresPlace> {
  const made = await postgresPlace();
  t.after(() => made.remove());
  return made;
}

async function open(t: Ending, url: string, options: PostgresOptions = {}): Promise<Store> {
  const store = await openPostgres(url, options);
  t.after(() => store.close());
  return store;
}

/** Ends the connections that call themselves so, as an administrator would; answers how many there were. */
async function terminate(server: string, name: string): Promise<number> {
  const text = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1';
  return (await ask(server, text, [name])).length;
}

const named = (t: { name: string }, url: string): { name: string; url: string } => {
  const name = `test ${process.pid} ${t.name}`.slice(0, 60);
  return { name, url: addressWith(url, { application_name: name }) };
};

test('a connection that was terminated between two operations is replaced', async (t) => {
  const { url: plain, server } = await place(t);
  const { url, name } = named(t, plain);
  const store = await open(t, url);
  for (let i = 0; i < 5; i++) {
    await store.enqueue([newJob(`j${i}`)]);
    assert.equal(await terminate(server, name), 1);
  }
  assert.equal((await store.overview()).queues[0]?.counts.pending, 5);
});

for (const outcome of ['completed', 'failed'] as const) {
  test(`a turn that cannot record that a job ${outcome} reports the obstacle and changes nothing`, async (t) => {
    const { url, server, schema } = await place(t);
    const store = await open(t, url);
    const turn = { ...idleTurn, worker: identity('w1'), policy };
    await store.registerWorker({ ...turn.worker, ...plainWorker, concurrency: 2 });
    await store.enqueue([newJob('a'), newJob('b')]);
    const { claimed } = await store.turn({ ...turn, want: 1 });
    const ended = claimed.map(({ seq, run }) => ({ seq, run, ending: endings[outcome] }));
    const table = `${quoted(schema)}.attempts`;
    await ask(server, `ALTER TABLE ${table} ADD CONSTRAINT none CHECK (ended_at IS NULL) NOT VALID`);
    await assert.rejects(() => store.turn({ ...turn, ended }), /violates check constraint "none"/);
    assert.deepEqual([(await store.find('a')).state, (await store.find('b')).state], ['processing', 'pending']);
    await ask(server, `ALTER TABLE ${table} DROP CONSTRAINT none`);
    assert.equal((await store.turn({ ...turn, ended })).settled[0]?.state, outcome);
  });
}

test('a worker that leaves requeues jobs of a turn whose reply was lost', async (t) => {
  const { url, server, schema } = await place(t);
  const store = await open(t, url);
  await store.registerWorker({ ...identity('w1'), ...plainWorker });
  await store.enqueue([newJob('a')]);
  const cutOff = new pg.Client({ connectionString: server });
  await cutOff.connect();
  await cutOff.query(`
    SET search_path TO ${quoted(schema)};
    BEGIN;
    SELECT 1 FROM workers WHERE id = 'w1' FOR KEY SHARE;
    UPDATE jobs SET state = 'processing', ready = 0, runs = 1, attempts = 1, next_run_at = NULL, locked_by = 'w1';
    INSERT INTO attempts (job_seq, number, worker_id, host, boot_id, started_at, waited_ms, log_path)
      SELECT seq, 1, 'w1', 'here', 'boot', 0, 0, '' FROM jobs`);
  const leaving = rescue(store, 'w1', policy);
  const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))';
  await until('it waits for the turn', async () => (await cutOff.query(waiting)).rows.length > 0);
  await cutOff.query('COMMIT');
  await cutOff.end();
  assert.deepEqual(
    (await leaving)?.map(({ jobId, state }) => [jobId, state]),
    [['a', 'pending']],
  );
});

test('every operation happens once while connections are terminated repeatedly', async (t) => {
  const { url: plain, server } = await place(t);
  const { url, name } = named(t, plain);
  const store = await open(t, url, { patienceMs: 30_000 });
  await store.registerWorker({ ...identity('w1'), ...plainWorker });
  const work = { done: false };
  const trouble = (async () => {
    while (!work.done) {
      await terminate(server, name);
      await pause(150 * Math.random()); // long enough to get something done, now and then
    }
  })();
  const claimed = new Set<string>();
  for (let i = 0; i < 40; i++) {
    await store.enqueue([newJob(`j${i}`)]);
    const turn = await store.turn({ ...idleTurn, worker: identity('w1'), policy });
    for (const { job } of turn.claimed) {
      assert.ok(!claimed.has(job.id));
      claimed.add(job.id);
    }
  }
  work.done = true;
  await trouble;
  const held = (await store.runningOn('w1')).map(({ jobId }) => jobId);
  assert.deepEqual(new Set(held), claimed, 'what is held is what was handed out');
  assert.equal(claimed.size, 40);
  assert.deepEqual(await store.check(), []);
});

test('a commit whose reply is lost is verified, not repeated and not given up', async (t) => {
  const { url } = await place(t);
  const proxy = await Detour.open(t, url);
  const store = await open(t, proxy.url);
  let cuts = 0;
  proxy.toServer = (data) => {
    if (data.includes('COMMIT\0') && cuts++ === 0) setImmediate(() => proxy.cut()); // it passes; the answer does not
    return true;
  };
  const [job] = await store.enqueue([newJob('a')]);
  assert.equal(job?.id, 'a');
  assert.ok(cuts > 0);
  assert.deepEqual(await store.get('a'), job);
});

/** Lets the next commit pass and loses its answer; the client is away until `meanwhile` is done. */
async function withoutAnswer<T>(proxy: Detour, work: () => Promise<T>, meanwhile: () => Promise<void>): Promise<T> {
  const cut = new Promise<void>((resolve) => {
    proxy.toClient = (data) => {
      const isAnswer = data.includes('COMMIT\0');
      if (isAnswer) resolve(proxy.reject());
      return !isAnswer;
    };
  });
  const result = work();
  result.catch(() => {});
  await cut;
  proxy.toClient = () => true;
  await meanwhile();
  await proxy.pass();
  return result;
}

test('a job that ran and was pruned before its client verified the commit is not enqueued again', async (t) => {
  const { url } = await place(t);
  const proxy = await Detour.open(t, url);
  const [store, other] = [await open(t, proxy.url, { patienceMs: 30_000 }), await open(t, url)];
  const turn = { ...idleTurn, worker: identity('w1'), policy };
  await other.registerWorker({ ...turn.worker, ...plainWorker });
  const runAll = async (): Promise<number> => {
    const { claimed } = await other.turn({ ...turn, want: 10 });
    const ended = claimed.map(({ seq, run }) => ({ seq, run, ending: endings.completed }));
    await other.turn({ ...turn, want: 0, ended });
    return claimed.length;
  };
  const prune = pruneByRetention(other, () => new Settings({ retention_completed: 0 }));
  await withoutAnswer(
    proxy,
    () => store.enqueue([newJob('a')]),
    async () => {
      assert.equal(await runAll(), 1);
      await prune.runOnce();
    },
  );
  assert.equal(await runAll(), 0, 'nothing is left to run');
});

test('long after a commit a missing job proves nothing, and the error says that the outcome is unknown', async (t) => {
  const { url } = await place(t);
  const proxy = await Detour.open(t, url);
  const [store, other] = [await open(t, proxy.url, { patienceMs: 30_000 }), await open(t, url)];
  const enqueued = withoutAnswer(
    proxy,
    () => store.enqueue([newJob('a')]),
    async () => {
      await other.remove(['a']);
      const later = Date.now() + 60_000;
      t.mock.method(Date, 'now', () => later);
    },
  );
  const error = await rejection('store_unreachable', () => enqueued);
  assert.match(error.message, /may be done or not/);
});

test('a job that was retried and ran before its client verified the commit is not retried again', async (t) => {
  const { url } = await place(t);
  const proxy = await Detour.open(t, url);
  const [store, other] = [await open(t, proxy.url, { patienceMs: 30_000 }), await open(t, url)];
  const turn = { ...idleTurn, worker: identity('w1'), policy };
  await other.registerWorker({ ...turn.worker, ...plainWorker });
  const run = async (): Promise<number> => {
    const { claimed } = await other.turn({ ...turn, want: 1 });
    const ended = claimed.map(({ seq, run }) => ({ seq, run, ending: endings.completed }));
    await other.turn({ ...turn, want: 0, ended });
    return claimed.length;
  };
  for (const [id, again] of [
    ['a', () => store.retry(['a'], ['completed'])],
    ['b', () => store.rerun({ retry: ['b'], block: [], release: [] })],
  ] as const) {
    await store.enqueue([newJob(id)]);
    assert.equal(await run(), 1);
    await withoutAnswer(proxy, again as () => Promise<unknown>, async () => assert.equal(await run(), 1));
    assert.equal((await store.find(id)).state, 'completed', id);
  }
});

test('a commit that cannot be verified is reported as unknown', async (t) => {
  const { url } = await place(t);
  const proxy = await Detour.open(t, url);
  const store = await open(t, proxy.url, { patienceMs: 500 });
  proxy.toClient = (data) => {
    const isLost = data.includes('COMMIT\0');
    if (isLost) void proxy.reject();
    return !isLost;
  };
  const error = await rejection('store_unreachable', () => store.enqueue([newJob('a')]));
  assert.match(error.message, /may be done or not/);
  await proxy.pass();
  assert.equal((await store.get('a'))?.state, 'pending');
});

test('a commit that never arrived is repeated', async (t) => {
  const { url } = await place(t);
  const proxy = await Detour.open(t, url);
  const store = await open(t, proxy.url);
  let cuts = 0;
  proxy.toServer = (data) => {
    if (!data.includes('COMMIT\0') || cuts++ > 0) return true;
    setImmediate(() => proxy.cut());
    return false;
  };
  const [job] = await store.enqueue([newJob('a')]);
  assert.deepEqual(await store.get('a'), job);
  assert.ok(cuts > 1);
});

test('a connection that drops everything is detected and replaced', async (t) => {
  const { url } = await place(t);
  const proxy = await Detour.open(t, url);
  const store = await open(t, proxy.url, { answerWithinMs: 300 });
  await store.enqueue([newJob('a')]);
  proxy.swallow();
  assert.equal((await store.get('a'))?.state, 'pending');
});

test('a listener on a lost connection listens again, and is told that it may have missed events', async (t) => {
  const { url: plain, server } = await place(t);
  const { url, name } = named(t, plain);
  const store = await open(t, plain);
  const listening = await open(t, url);
  let heard = 0;
  t.after(listening.onWake(() => heard++));
  await until('it listens', () => heard > 0);
  await terminate(server, name);
  const before = heard;
  await until('it listens again', () => heard > before);
  const again = heard;
  await store.enqueue([newJob('a')]);
  await until('it hears', () => heard > again);
});

test('a staged load that loses its connection is rejected completely', async (t) => {
  const { url: plain, server } = await place(t);
  const { url, name } = named(t, plain);
  const store = await open(t, url);
  const stage = await store.stage();
  await stage.add([newJob('a')]);
  await terminate(server, name);
  const commit = rejection('store_unreachable', async () => {
    await stage.add([newJob('b')]);
    await stage.commit();
  });
  assert.match((await commit).message, /nothing was enqueued/);
  assert.equal((await store.overview()).queues.length, 0);
});

test('without a server, the error names the address and the reason after the timeout', async () => {
  const port = await freePort();
  const began = performance.now();
  const error = await rejection('store_unreachable', () =>
    openPostgres(`postgres://u:secret@127.0.0.1:${port}/d`, { patienceMs: 500 }),
  );
  const tookMs = performance.now() - began;
  assert.ok(tookMs < 1500, `${tookMs} ms`);
  assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${port}/d.*connection refused at 127.0.0.1:${port}`));
  assert.equal(error.exitCode, 5);
});

test('a server that accepts and never replies is given up in time', async (t) => {
  const { url } = await place(t);
  const proxy = await Detour.open(t, url);
  proxy.toServer = () => false;
  const error = await rejection('store_unreachable', () => openPostgres(proxy.url, { patienceMs: 400 }));
  assert.match(error.message, /connection timed out/);
});

test('rejected credentials are reported immediately, without the password', async (t) => {
  const { url } = await place(t);
  const wrong = new URL(url);
  wrong.password = 'hunter2';
  const missing = new URL(url);
  missing.password = '';
  const elsewhere = new URL(url);
  elsewhere.pathname = '/nowhere';
  const began = performance.now();
  const cases: [URL, RegExp][] = [
    [wrong, /password authentication failed/],
    [missing, /requires a password/],
    [elsewhere, /database "nowhere" does not exist/],
  ];
  for (const [address, reason] of cases) {
    const environment = { HOME: '/nonexistent' };
    const error = await rejection('store_unreachable', () => openPostgres(address.href, { environment }));
    assert.match(error.message, reason);
    assert.doesNotMatch(`${error.message} ${error.hint} ${error.stack}`, /hunter2|secret/);
  }
  assert.ok(performance.now() - began < 3000, 'waiting would not help');
});

test('connecting waits for a server that is full', async (t) => {
  const server = await startServer({ max_connections: '4', superuser_reserved_connections: '0' });
  t.after(() => server.stop());
  const stores: Store[] = [];
  const rejected = await until('it is full', async () => {
    try {
      stores.push(await openPostgres(server.url, { patienceMs: 200 }));
      return null;
    } catch (error) {
      return error;
    }
  });
  assert.ok(rejected instanceof QueueError);
  assert.match(rejected.message, /too many clients|remaining connection slots/);
  const opening = openPostgres(server.url, { patienceMs: 20_000 });
  await stores.pop()?.close();
  stores.push(await opening);
  for (const store of stores) await store.close();
});

test('connecting waits for a server that restarts', async (t) => {
  const { url } = await place(t);
  const proxy = await Detour.open(t, url);
  const store = await open(t, proxy.url, { patienceMs: 20_000 });
  proxy.toServer = () => false;
  proxy.cut();
  const asking = store.overview();
  setTimeout(() => {
    proxy.toServer = () => true;
    proxy.cut();
  }, 300);
  assert.deepEqual((await asking).queues, []);
});
