// In a large queue every question that is asked often is answered from an index, never by a walk over all jobs.
// The statements are those that the store really prepares; their plans come from SQLite itself.

import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, mock, test } from 'node:test';
import type { Job, JobState } from '../../src/job/job.ts';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import type { JobFilter, JobPage } from '../../src/store/store.ts';
import { Bench, policy, type StorePlace } from '../contract/bench.ts';
import { newFolder, removeFolder } from '../support/folder.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { rescue, sign } from '../support/workers.ts';
import { endOne, populate, sweepOne, tickOne, unfinishedOfSchedule } from './populated.ts';

const JOBS = 24_000;

/** What is done often, and the index that its main question must use. */
const operations: [what: string, operation: (b: Bench) => Promise<unknown>, index?: RegExp][] = [
  ['claim from any queue', (b) => b.claim(3), /USING (COVERING )?INDEX jobs_ready /],
  ['claim from some queues', (b) => b.claim(3, { queues: ['mail', 'default'] }), /USING (COVERING )?INDEX jobs_ready /],
  ['claim one job', (b) => b.claim(1, { only: 'j5' })],
  ['promote', (b) => b.turn(), /USING (COVERING )?INDEX jobs_waiting /],
  ['look for the next due job', lookAgain, /USING (COVERING )?INDEX jobs_waiting /],
  ['enqueue', (b) => b.enqueue('new')],
  ['enqueue by staging', stageOne],
  ['look at an environment', (b) => b.store.environments.ofJob('j5')],
  ['sweep environments', sweepOne, /USING (COVERING )?INDEX jobs_environment /],
  ['end an attempt', endOne],
  ['renew', (b) => b.store.renew('w1', sign()), /USING INDEX jobs_running /],
  ['look at workers', (b) => b.store.workers(), /USING INDEX jobs_running /],
  ['rescue', (b) => rescue(b.store, 'w2', policy), /USING INDEX jobs_running /],
  ['repair backoffs', (b) => b.store.repairBackoffs(), /USING (COVERING )?INDEX jobs_waiting /],
  ['look for the next tick', lookAgain, /USING (COVERING )?INDEX schedules_next /],
  ['find schedules that are due', (b) => b.store.schedules.due(10), /USING INDEX schedules_next /],
  ['find unfinished jobs of a schedule', unfinishedOfSchedule, /USING INDEX jobs_schedule /],
  ['decide about a tick', tickOne, /USING INDEX jobs_tick /],
  ['find', (b) => b.store.find('j5')],
  ['find by prefix', (b) => b.store.find('j2399').catch(() => null)],
  ['history', (b) => b.store.history('j5')],
  ['overview', (b) => b.store.overview(), /USING (COVERING )?INDEX jobs_ready /],
  ['list by state', (b) => list(b, { states: ['dead'] }), /USING (COVERING )?INDEX jobs_by_state /],
  ['list by state and queue', (b) => list(b, { states: ['dead', 'failed'], queue: 'mail' }), /INDEX jobs_by_state /],
  ['page by state', (b) => page(b, { states: ['dead'] }), /USING (COVERING )?INDEX jobs_by_state /],
  ['page by group', (b) => page(b, { group: 'g' }), /USING (COVERING )?INDEX jobs_group /],
  ['page by schedule', (b) => page(b, { schedule: 'schedule-7' }), /USING (COVERING )?INDEX jobs_schedule /],
  ['page by name', (b) => page(b, { name: 'n' }), /USING (COVERING )?INDEX jobs_name /],
  ['page by key', (b) => page(b, { key: 'k' }), /USING (COVERING )?INDEX jobs_by_key /],
  [
    'page by fingerprint',
    (b) => page(b, { fingerprint: 'err-12345678' }),
    /USING (COVERING )?INDEX jobs_by_fingerprint /,
  ],
  ['page by error', (b) => page(b, { error: 'exit' }), /USING (COVERING )?INDEX jobs_with_error\b/],
  ['page by hold', (b) => page(b, { held: true }), /USING (COVERING )?INDEX jobs_with_hold\b/],
  ['page by tag', (b) => page(b, { tag: 't' }), /SEARCH tags USING (COVERING )?(INDEX|PRIMARY KEY)/],
  ['list by group', (b) => list(b, { group: 'g' }), /USING (COVERING )?INDEX jobs_group /],
  ['list by tag', (b) => list(b, { tag: 't' }), /SEARCH tags USING (COVERING )?(INDEX|PRIMARY KEY)/],
  ['list by name', (b) => list(b, { name: 'n' }), /USING (COVERING )?INDEX jobs_name /],
  ['list by the start of ids', (b) => list(b, { id: 'j5' }), /USING INDEX sqlite_autoindex_jobs_1 /],
  [
    'list dead jobs by fingerprint',
    (b) => list(b, { states: ['dead'], fingerprint: 'err-12345678' }),
    /USING INDEX jobs_(by_)?fingerprint /,
  ],
  [
    'change some',
    (b) => b.store.changeSome(['j5'], { states: ['pending'] }, { kind: 'hold', reason: 'x' }),
    /SEARCH j USING INDEX sqlite_autoindex_jobs_1 /,
  ],
  [
    'read by ids',
    (b) => b.store.getAll(['j5', 'j6'], { states: ['pending'], queue: 'mail' }),
    /SEARCH j USING INDEX sqlite_autoindex_jobs_1 /,
  ],
  ['hold one', async (b) => b.store.change([await first(b, 'pending')], { kind: 'hold', reason: 'x' })],
  ['ask where a job stands', whereItStands, /USING (COVERING )?INDEX jobs_ready /],
  ['count what waits', (b) => b.store.waits.counts(), /USING (COVERING )?INDEX jobs_held/],
  ['count what waits in a queue', (b) => b.store.waits.counts('mail'), /USING (COVERING )?INDEX jobs_at_gate/],
  ['look for what waits for long', (b) => b.store.waits.lingering(T0), /USING INDEX jobs_held/],
  ['look for names', (b) => b.store.words.names(20), /USING (COVERING )?INDEX jobs_name /],
  ['look for lost slots', (b) => b.store.waits.recheck(''), /USING (COVERING )?INDEX jobs_running_key /],
  ['look for jobs that are not claimed', (b) => b.store.waits.heads(T0), /INDEX jobs_at_gate /],
  ['look for keys', (b) => b.store.words.keys(20), /USING (COVERING )?INDEX jobs_ready_key /],
  ['retry one', async (b) => b.store.retry([await first(b, 'dead')], ['dead'])],
  ['cancel one', async (b) => b.store.cancel([await first(b, 'pending')])],
  ['remove one', async (b) => b.store.remove([await first(b, 'pending')])],
  ['prune by age', (b) => b.store.prune({ states: ['completed'], finishedBefore: T0 + 5 }, 10), /INDEX jobs_finished /],
];

/** A walk over a table that grows with the queue; but for an index of few jobs, of which a page takes the newest. */
const WALK = /SCAN (jobs|j|e|attempts|a|environments|schedules|ticks)\b(?! USING (COVERING )?INDEX jobs_with_)/;

for (const analyzed of [false, true]) {
  describe(`with ${JOBS} jobs in all states${analyzed ? ', after ANALYZE' : ''}`, () => {
    const folder = newFolder();
    const file = path.join(folder, 'queue.db');
    const place: StorePlace = {
      open: (clock) => openSqlite(file, { wakePath: `${file}.wake`, clock }),
      remove: () => removeFolder(folder),
    };
    let raw: DatabaseSync;

    before(async () => {
      await populate(place, JOBS);
      raw = new DatabaseSync(file);
      if (analyzed) raw.exec('ANALYZE');
    });
    after(() => {
      raw.close();
      removeFolder(folder);
    });

    for (const [what, operation, index] of operations) {
      test(`${what} scans no whole table`, async () => {
        const plans = (await statementsOf(place, operation)).map((sql) => planOf(raw, sql));
        for (const plan of plans) assert.doesNotMatch(plan, WALK);
        if (index)
          assert.ok(
            plans.some((plan) => index.test(plan)),
            plans.join('\n'),
          );
      });
    }
  });
}

/** Every statement that the operation prepares, on a connection of its own. */
async function statementsOf(place: StorePlace, operation: (b: Bench) => Promise<unknown>): Promise<string[]> {
  const prepared = mock.method(DatabaseSync.prototype, 'prepare');
  const bench = new Bench(place);
  try {
    bench.now = T0 + 1000;
    await bench.open();
    await operation(bench);
    const texts = prepared.mock.calls.map((call) => String(call.arguments[0]));
    return [...new Set(texts)].filter((text) => !/PRAGMA|temp\.staged/.test(text));
  } finally {
    prepared.mock.restore();
    await bench.close();
  }
}

/** The statement, and SQLite's plan for it. */
function planOf(raw: DatabaseSync, sql: string): string {
  const rows = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  return [sql, ...rows.map(({ detail }) => detail)].join('\n');
}

/** After the due jobs were promoted. */
async function lookAgain(b: Bench): Promise<void> {
  await b.turn();
  await b.turn();
}

async function stageOne(b: Bench): Promise<void> {
  const stage = await b.store.stage();
  await stage.add([newJob('staged')]);
  await stage.commit();
}

const list = (b: Bench, filter: JobFilter): Promise<Job[]> =>
  b.store.list({ ...filter, sort: 'created', descending: true, limit: 50 });

const page = (b: Bench, filter: JobFilter): Promise<JobPage> =>
  b.store.page({ ...filter, sort: 'created', descending: true, limit: 50, lookAt: 200, after: null });

const first = async (b: Bench, state: JobState): Promise<string> => (await list(b, { states: [state] }))[0]?.id ?? '';

async function whereItStands(b: Bench): Promise<unknown> {
  await b.enqueue('standing');
  return b.store.waits.ofJob('standing');
}
