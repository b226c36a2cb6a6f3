// A server that is replaced while it commits: the standby that takes over may not have the commit, and gives the
// transaction's id to somebody else. What is acknowledged must be there; what is not there must not be acknowledged.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { openPostgres } from '../../src/store/postgres/store.ts';
import type { Store } from '../../src/store/store.ts';
import { identity, policy } from '../contract/bench.ts';
import { idleTurn } from '../store/idle-turn.ts';
import { Detour } from '../support/detour.ts';
import { endings, newJob } from '../support/jobs.ts';
import { type Server, startServer } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { plainWorker } from '../support/workers.ts';

/** More than all transactions between the copy and the commit that is lost. */
const IDS_TO_BURN = 200;

interface Scene {
  readonly store: Store;
  /** Does `work`, whose commit is the last thing that the old server sees; the new one does not have it. */
  failOverDuring<T>(work: () => Promise<T>): Promise<T>;
}

/** `prepare` is what the standby has, too. */
async function scene(t: TestContext, prepare: (store: Store) => Promise<unknown> = async () => {}): Promise<Scene> {
  const server = await startServer();
  t.after(() => server.stop());
  const detour = await Detour.open(t, server.url);
  const store = await openPostgres(detour.url, { patienceMs: 60_000 });
  t.after(() => store.close());
  await prepare(store);
  await copyStandby(server);
  return {
    store,
    failOverDuring: async (work) => {
      const cut = new Promise<void>((resolve) => {
        detour.toServer = (data) => {
          if (data.includes('COMMIT\0')) resolve(detour.reject());
          return true;
        };
      });
      const result = work();
      result.catch(() => {});
      await cut;
      detour.toServer = () => true;
      await promoteStandby(server);
      await detour.pass();
      return result;
    },
  };
}

const dataOf = ({ folder }: Server): string => path.join(folder, 'data');
const standbyOf = ({ folder }: Server): string => path.join(folder, 'standby');

async function copyStandby(server: Server): Promise<void> {
  await server.halt();
  fs.cpSync(dataOf(server), standbyOf(server), { recursive: true, preserveTimestamps: true });
  await server.resume();
}

async function promoteStandby(server: Server): Promise<void> {
  await server.halt('crash');
  const owner = fs.statSync(dataOf(server));
  fs.rmSync(dataOf(server), { recursive: true });
  fs.renameSync(standbyOf(server), dataOf(server));
  give(dataOf(server), owner);
  await server.resume();
  await burnIds(server.url);
}

/** To whom the server runs as. */
function give(folder: string, { uid, gid }: fs.Stats): void {
  if (process.getuid?.() !== 0) return;
  for (const name of ['.', ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    fs.chownSync(path.join(folder, name), uid, gid);
}

async function burnIds(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (let i = 0; i < IDS_TO_BURN; i++) await client.query('SELECT txid_current()');
  await client.end();
}

test('a job whose commit is missing on the new server is enqueued again before it is acknowledged', async (t) => {
  const { store, failOverDuring } = await scene(t);
  const [job] = await failOverDuring(() => store.enqueue([newJob('a')]));
  assert.deepEqual(await store.get('a'), job);
});

test('a report whose commit is missing on the new server is written again, and the job does not run twice', async (t) => {
  const turn = { ...idleTurn, worker: identity('w1'), policy, want: 0 };
  const { store, failOverDuring } = await scene(t, async (before) => {
    await before.registerWorker({ ...turn.worker, ...plainWorker });
    await before.enqueue([newJob('a')]);
    await before.turn({ ...turn, want: 1 });
  });
  const [running] = await store.runningOn('w1');
  assert.ok(running);
  const ended = [{ seq: running.seq, run: running.run, ending: endings.completed }];
  const { settled } = await failOverDuring(() => store.turn({ ...turn, ended }));
  assert.deepEqual(settled, [{ seq: running.seq, run: running.run, state: 'completed' }]);
  assert.equal((await store.find('a')).state, 'completed');
});

test('a claim whose commit is missing on the new server starts only jobs that the new server lists as held', async (t) => {
  const turn = { ...idleTurn, worker: identity('w1'), policy };
  const { store, failOverDuring } = await scene(t, async (before) => {
    await before.registerWorker({ ...turn.worker, ...plainWorker });
    await before.enqueue([newJob('a'), newJob('b')]);
  });
  const { claimed } = await failOverDuring(() => store.turn({ ...turn, want: 1 }));
  const held = (await store.runningOn('w1')).map(({ jobId, run }) => [jobId, run]);
  assert.deepEqual(
    claimed.map(({ job, run }) => [job.id, run]),
    held,
  );
  assert.equal(held.length, 1);
});

test('a worker whose registration is missing on the new server registers there', async (t) => {
  const { store, failOverDuring } = await scene(t);
  await failOverDuring(() => store.registerWorker({ ...identity('w1'), ...plainWorker }));
  assert.deepEqual(
    (await store.workers()).map(({ id }) => id),
    ['w1'],
  );
});

test('deleted jobs that reappear on the new server are deleted there too', async (t) => {
  const { store, failOverDuring } = await scene(t, (before) => before.enqueue([newJob('a')]));
  assert.equal((await failOverDuring(() => store.remove(['a']))).jobs, 1);
  await rejection('job_not_found', () => store.find('a'));
});
