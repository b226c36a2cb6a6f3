// In a large queue every question that is asked often is answered from an index, never by a walk over all jobs.
// The statements are those that the store really sends. Each is planned twice, as PostgreSQL may do for a prepared
// one: with its values, and for any values.

import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import pg from 'pg';
import type { Job, JobState } from '../../src/job/job.ts';
import { openClient } from '../../src/store/postgres/session/client.ts';
import { parseTarget } from '../../src/store/postgres/session/target.ts';
import type { JobFilter, JobPage } from '../../src/store/store.ts';
import { Bench, policy } from '../contract/bench.ts';
import { T0 } from '../support/jobs.ts';
import { endOne, populate, sweepOne, tickOne, unfinishedOfSchedule } from './populated.ts';
import { type PostgresPlace, postgresPlace } from './postgres-place.ts';
import { outputOf } from '../contract/outputs.ts';
import { rescue, sign } from '../support/workers.ts';

const JOBS = 20_000;
const TABLES = ['jobs', 'attempts', 'outputs', 'counters', 'workers', 'settings', 'environments', 'schedules', 'ticks'];

/** What is done often, and the index that its main question must use. */
const operations: [what: string, operation: (b: Bench) => Promise<unknown>, index?: RegExp][] = [
  ['claim from any queue', (b) => b.claim(3), /jobs_ready/],
  ['claim from some queues', (b) => b.claim(3, { queues: ['mail', 'default'] }), /jobs_ready/],
  ['claim under a limit', (b) => b.claim(3, { maxConcurrentJobs: 1000 }), /jobs_running/],
  ['claim one job', (b) => b.claim(1, { only: 'j5' }), /jobs_id/],
  ['promote', (b) => b.turn(), /jobs_waiting/],
  ['look and find nothing', lookAgain, /jobs_waiting/],
  ['enqueue', (b) => b.enqueue('new')],
  ['look at an environment', (b) => b.store.environments.ofJob('j5'), /jobs_id/],
  ['sweep environments', sweepOne, /jobs_environment/],
  ['end an attempt', endOne],
  ['renew', (b) => b.store.renew('w1', sign()), /jobs_running/],
  ['look at workers', (b) => b.store.workers(), /jobs_running/],
  ['look at what runs', (b) => b.store.runningOn('w1'), /jobs_running/],
  ['rescue', (b) => rescue(b.store, 'w2', policy), /jobs_running/],
  ['repair backoffs', (b) => b.store.repairBackoffs(), /jobs_waiting/],
  ['look for the next tick', lookAgain, /schedules_next/],
  ['find schedules that are due', (b) => b.store.schedules.due(10), /schedules_next/],
  ['find unfinished jobs of a schedule', unfinishedOfSchedule, /jobs_schedule/],
  ['decide about a tick', tickOne, /schedules_pkey/],
  ['look whether a tick has made a job', tickOne, /jobs_tick/],
  ['find', (b) => b.store.find('j5'), /jobs_id/],
  ['find by prefix', (b) => b.store.find('j4999').catch(() => null), /jobs_id/],
  ['history', (b) => b.store.history('j5')],
  ['overview', (b) => b.store.overview(), /jobs_ready/],
  ['list the newest', (b) => list(b, {}), /jobs_pkey/],
  ['list by state', (b) => list(b, { states: ['dead'] }), /jobs_by_state/],
  ['list by state and queue', (b) => list(b, { states: ['dead', 'failed'], queue: 'mail' }), /jobs_by_state/],
  ['page by state', (b) => page(b, { states: ['dead'] }), /jobs_by_state/],
  ['page by group', (b) => page(b, { group: 'g' }), /jobs_group/],
  ['page by schedule', (b) => page(b, { schedule: 'schedule-7' }), /jobs_schedule/],
  ['page by name', (b) => page(b, { name: 'n' }), /jobs_name/],
  ['page by key', (b) => page(b, { key: 'k' }), /jobs_by_key/],
  ['page by fingerprint', (b) => page(b, { fingerprint: 'err-12345678' }), /jobs_by_fingerprint/],
  ['page by error', (b) => page(b, { error: 'exit' }), /jobs_with_error/],
  ['page by hold', (b) => page(b, { held: true }), /jobs_with_hold/],
  ['list by group', (b) => list(b, { group: 'g' }), /jobs_group/],
  ['ask where a job stands', whereItStands, /jobs_ready/],
  ['count what waits', (b) => b.store.waits.counts(), /jobs_held/],
  ['count what waits in a queue', (b) => b.store.waits.counts('mail'), /jobs_at_gate/],
  ['look for what waits for long', (b) => b.store.waits.lingering(T0), /jobs_held/],
  ['look for names', (b) => b.store.words.names(20), /jobs_name/],
  ['look for keys', (b) => b.store.words.keys(20), /jobs_ready_key/],
  [
    'change some',
    (b) => b.store.changeSome(['j5', 'j6'], { states: ['pending'] }, { kind: 'hold', reason: 'x' }),
    /jobs_id/,
  ],
  ['hold one', async (b) => b.store.change([await first(b, 'pending')], { kind: 'hold', reason: 'x' })],
  ['retry one', async (b) => b.store.retry([await first(b, 'dead')], ['dead'])],
  ['cancel one', async (b) => b.store.cancel([await first(b, 'pending')])],
  ['remove one', async (b) => b.store.remove([await first(b, 'pending')])],
  ['keep output', keepOutput],
  ['prune by age', (b) => b.store.prune({ states: ['completed'], finishedBefore: T0 + 5 }, 10), /jobs_finished/],
];

/** A walk over a table that grows with the queue, or over a whole index of it, which comes to the same. */
const WALK = /Seq Scan on (jobs|attempts|outputs|environments|schedules|ticks)\b/;
const INDEX_WALK =
  /Index (Only )?Scan using (jobs_pkey|jobs_id|jobs_by_state|jobs_environment|jobs_schedule|jobs_tick|attempts_pkey|outputs_pkey|schedules_pkey|ticks_pkey) [^\n]*\n(?!\s*Index Cond)/;

/** When the server looked at what the tables hold: its plans must be good whatever it believes. */
type Analyzed = 'never' | 'while half of them ran' | 'at last';

for (const analyzed of ['never', 'while half of them ran', 'at last'] satisfies Analyzed[]) {
  describe(`with ${JOBS} jobs in all states, analyzed ${analyzed}`, () => {
    let place: PostgresPlace;
    let raw: pg.Client;

    before(async () => {
      place = await postgresPlace();
      await (await place.open(() => T0)).close();
      raw = await plannerOf(place);
      const analyze = (when: Analyzed): Promise<unknown> | null =>
        when === analyzed ? raw.query(`ANALYZE ${TABLES.join(', ')}`) : null;
      await populate(place, JOBS, async () => analyze('while half of them ran'));
      await analyze('at last');
    });
    after(async () => {
      await raw.end();
      await place.remove();
    });

    for (const [what, operation, index] of operations) {
      test(`${what} scans no whole table`, async () => {
        const plans: string[] = [];
        for (const statement of await statementsOf(place, operation)) plans.push(await plansOf(raw, statement));
        assert.ok(plans.length > 0);
        for (const plan of plans) {
          assert.doesNotMatch(plan, WALK);
          assert.doesNotMatch(plan, INDEX_WALK);
        }
        if (index)
          assert.ok(
            plans.some((plan) => index.test(plan)),
            plans.join('\n'),
          );
      });
    }
  });
}

/** A connection that plans as the store's own do, to tables that the server does not analyze by itself. */
async function plannerOf(place: PostgresPlace): Promise<pg.Client> {
  const { client } = await openClient(parseTarget(place.url, {}), 10_000);
  for (const table of TABLES) await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  return client;
}

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Every statement that the operation sends, on a connection of its own. */
async function statementsOf(place: PostgresPlace, operation: (b: Bench) => Promise<unknown>): Promise<Statement[]> {
  const bench = new Bench(place);
  bench.now = T0 + 1000;
  await bench.open();
  const sent = mock.method(pg.Client.prototype, 'query');
  try {
    await operation(bench);
    const statements = sent.mock.calls.map((call) => call.arguments[0] as unknown as Statement);
    const isPlanned = ({ text }: Statement): boolean => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text);
    return statements.filter(isPlanned);
  } finally {
    sent.mock.restore();
    await bench.close();
  }
}

/** The statement, and PostgreSQL's plans for it. */
async function plansOf(raw: pg.Client, { text, values }: Statement): Promise<string> {
  const withValues = await raw.query({ text: `EXPLAIN ${text}`, values, rowMode: 'array' });
  const forAny = await raw.query({ text: `EXPLAIN (GENERIC_PLAN) ${text}`, rowMode: 'array' });
  return [text, ...withValues.rows, 'for any values:', ...forAny.rows].join('\n');
}

async function keepOutput(b: Bench): Promise<void> {
  const [{ seq = 0, run = 0 } = {}] = await b.store.runningOn('w1');
  await b.store.outputs.keep([{ seq, run, from: 0, data: Buffer.from('more') }]);
  await b.store.outputs.read('j5', 1, 0, 100);
  await b.store.outputs.record('j5', 1, outputOf('end', 4));
}

/** After the due jobs were promoted. */
async function lookAgain(b: Bench): Promise<void> {
  await b.turn();
  await b.turn();
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
