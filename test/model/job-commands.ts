// Random steps of people: jobs in, changed and out again, settings, and the clock of the machine.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FINAL_STATES, type NewJob, STATES, STRATEGIES } from '../../src/job/job.ts';
import type { WaitingChange } from '../../src/job/waiting-change.ts';
import type { PruneQuery, Removed } from '../../src/store/store.ts';
import { newJob } from '../support/jobs.ts';
import { type Command, command, pickOf } from './command.ts';
import { same } from './compare.ts';
import type { Model } from './model.ts';
import * as people from './people.ts';

const aQueue = fc.constantFrom('default', 'mail');
const orNone = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const nothing = fc.constant(null);

const aWantedJob = fc.record({
  id: fc.nat(20).map((n) => `j${n}`),
  queue: aQueue,
  priority: fc.nat(2),
  maxRetries: fc.nat(2),
  backoffBase: fc.constantFrom(null, null, 0, 1.5),
  backoffStrategy: fc.constantFrom(null, ...STRATEGIES),
  delayMs: fc.constantFrom(null, null, -1000, 0, 1000, 3000),
});
const someJobs = fc.array(aWantedJob, { minLength: 1, maxLength: 4 });
const manyJobs = fc.array(aWantedJob, { minLength: 1, maxLength: 8 });
type Wanted = typeof someJobs extends fc.Arbitrary<infer T> ? T : never;

const jobsOf = (wanted: Wanted, now: number): NewJob[] =>
  wanted.map(({ id, delayMs, ...more }) => newJob(id, { ...more, runAt: delayMs === null ? null : now + delayMs }));

const enqueue = command('enqueue', someJobs, (model, { store }, wanted) => {
  const jobs = jobsOf(wanted, model.now);
  return same(
    () => store.enqueue(jobs),
    () => people.enqueue(model, jobs),
  );
});

const add = command('stage and add', fc.oneof(someJobs, manyJobs), async (model, connection, wanted) => {
  connection.staging ??= { staging: await connection.store.stage(), jobs: [] };
  const jobs = jobsOf(wanted, model.now);
  await connection.staging.staging.add(jobs);
  connection.staging.jobs.push(...jobs);
});

const commit = command('commit', nothing, async (model, connection) => {
  if (!connection.staging) return;
  const { staging, jobs } = connection.staging;
  connection.staging = null;
  await same(
    () => staging.commit(),
    () => people.enqueue(model, jobs).length,
  );
});

const discard = command('discard', nothing, async (_, connection) => {
  await connection.staging?.staging.discard();
  connection.staging = null;
});

/** Some jobs that are there, and now and then one that is not. */
const somePicks = fc.oneof(
  fc.tuple(fc.nat(9)),
  fc.tuple(fc.nat(9)),
  fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 3 }),
);
const idsOf = (model: Model, picks: readonly number[]): string[] => {
  const ids = [...model.jobs.keys()];
  const chosen = picks.map((pick) => (pick === 9 ? 'unknown' : (pickOf(ids, pick) ?? 'none')));
  return [...new Set(chosen)];
};

const anyState = fc.constant([...STATES]);
const someStates = fc.oneof(anyState, anyState, fc.subarray([...STATES], { minLength: 1 }));

const retry = command(
  'retry',
  fc.record({ picks: somePicks, states: someStates }),
  (model, { store }, { picks, states }) => {
    const ids = idsOf(model, picks);
    return same(
      () => store.retry(ids, states),
      () => people.retry(model, ids, states),
    );
  },
);

const aFilter = fc.record({
  states: orNone(someStates),
  queue: orNone(aQueue),
  search: orNone(fc.constantFrom('j1', 'code 7', 'nowhere')),
});

const retryAll = command('retryAll', aFilter, (model, { store }, filter) =>
  same(
    async () => (await store.changeSome([...model.jobs.keys()], filter, { kind: 'retry' })).jobs,
    () => people.retryAll(model, filter),
  ),
);

const cancel = command('cancel', somePicks, (model, { store }, picks) => {
  const ids = idsOf(model, picks);
  return same(
    () => store.cancel(ids),
    () => people.cancel(model, ids),
  );
});

const aWaitingChange: fc.Arbitrary<WaitingChange> = fc.oneof(
  fc.constant<WaitingChange>({ kind: 'hold', reason: 'until later' }),
  fc.constant<WaitingChange>({ kind: 'release' }),
  fc.constant<WaitingChange>({ kind: 'run-now' }),
  fc
    .record(
      { queue: aQueue, priority: fc.nat(2), tags: fc.subarray(['x', 'y']), runAt: fc.constant(null) },
      { requiredKeys: [] },
    )
    .map((edit): WaitingChange => ({ kind: 'edit', edit })),
);

const change = command('change', fc.tuple(somePicks, aWaitingChange), (model, { store }, [picks, wanted]) => {
  const ids = idsOf(model, picks);
  return same(
    () => store.change(ids, wanted),
    () => people.change(model, ids, wanted),
  );
});

const changeSome = command('changeSome', fc.tuple(aFilter, aWaitingChange), (model, { store }, [filter, wanted]) =>
  same(
    async () => (await store.changeSome([...model.jobs.keys()], filter, wanted)).jobs,
    () => people.changeSome(model, filter, wanted),
  ),
);

const remove = command('remove', somePicks, (model, { store }, picks) => {
  const ids = idsOf(model, picks);
  return same(
    async () => sorted(await store.remove(ids)),
    () => sorted(people.remove(model, ids)),
  );
});

const sorted = ({ jobs, logPaths }: Removed): Removed => ({ jobs, logPaths: logPaths.toSorted() });

const aPrune = fc.record({
  states: fc.oneof(fc.constant([...FINAL_STATES]), someStates),
  queue: orNone(aQueue),
  keep: orNone(fc.nat(2)),
  age: orNone(fc.constantFrom(-1, 0, 1000, 5000)),
  limit: fc.integer({ min: 1, max: 4 }),
});
const queryOf = (model: Model, { states, queue, keep, age }: PruneArgs): PruneQuery => ({
  states,
  queue,
  keep,
  finishedBefore: age === undefined ? undefined : model.now - age,
});
type PruneArgs = typeof aPrune extends fc.Arbitrary<infer T> ? T : never;

const prunable = command('prunable', aPrune, async (model, { store }, args) => {
  const query = queryOf(model, args);
  assert.equal(await store.prunable(query), people.prunable(model, query).flat().length);
});

/** With a limit, which states come first is the store's affair; within a state the longest finished do. */
const prune = command('prune', aPrune, async (model, { store }, args) => {
  const query = queryOf(model, args);
  const allowed = people.prunable(model, query);
  const removed = await store.prune(query, args.limit);
  const left = new Set((await store.list({ sort: 'created', descending: false, limit: null })).map((j) => j.id));
  const gone = allowed.map((entries) => entries.filter(({ job }) => !left.has(job.id)));
  for (const [index, entries] of gone.entries()) {
    const times = (allowed[index] ?? []).map(({ job }) => job.finishedAt);
    assert.deepEqual(
      entries.map(({ job }) => job.finishedAt),
      times.slice(0, entries.length),
      'the longest finished go first',
    );
  }
  assert.equal(gone.flat().length, Math.min(args.limit, allowed.flat().length), 'as many as the limit lets go');
  assert.deepEqual(sorted(removed), sorted(people.drop(model, gone.flat())));
});

const reset = command('reset', nothing, async (model, { store }) => {
  assert.deepEqual(sorted(await store.reset()), sorted(people.reset(model)));
});

const saveSetting = command(
  'saveSetting',
  fc.tuple(fc.constantFrom('max_retries', 'shell', 'job_timeout'), fc.constantFrom(undefined, null, 0, 1.5, "it's")),
  async (model, { store }, [key, value]) => {
    await store.saveSetting(key, value);
    if (value === undefined) model.settings.delete(key);
    else model.settings.set(key, value);
  },
);

const clock = command(
  'the clock moves',
  fc.constantFrom(1, 1000, 1000, 2000, 2000, 4000, 4000, 60_000, -1, -1000, -1001, -5000, -3_600_000),
  (model, _, ms) => {
    model.now += ms;
  },
);

/** How often each comes, beside the others. */
export const jobCommands: readonly (readonly [number, fc.Arbitrary<Command>])[] = [
  [12, enqueue],
  [3, add],
  [3, commit],
  [1, discard],
  [6, retry],
  [3, retryAll],
  [5, cancel],
  [5, change],
  [2, changeSome],
  [2, remove],
  [1, prunable],
  [2, prune],
  [1, saveSetting],
  [10, clock],
  [1, reset],
];
