// Random steps of workers: they come, take turns, show signs of life, leave, are lost and are rescued.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OUTCOMES } from '../../src/job/job.ts';
import type { RetryPolicy } from '../../src/job/lifecycle.ts';
import type { Claimed, Lease, NewWorker, Store, Turn } from '../../src/store/store.ts';
import { identity } from '../contract/bench.ts';
import { endings, taskOf } from '../support/jobs.ts';
import { aPick, type Command, command, pickOf } from './command.ts';
import { same } from './compare.ts';
import type { Entry, Handed, Model } from './model.ts';
import * as workers from './turn.ts';
import { plainWorker, rescue as rescueFrom, sign } from '../support/workers.ts';

const aWorker = fc.constantFrom('w1', 'w2', 'w3');

const aPolicy = fc.constantFrom<RetryPolicy>(
  { strategy: 'exponential', base: 2, maxSeconds: 3600, jitter: 0 },
  { strategy: 'linear', base: 1, maxSeconds: 3600, jitter: 0 },
  { strategy: 'fixed', base: 100, maxSeconds: 60, jitter: 0 },
  { strategy: 'fixed', base: 0, maxSeconds: 60, jitter: 0 },
);

const someQueues = fc.constantFrom(null, null, null, ['default'], ['mail', 'default'], ['mail', 'mail'], ['x']);

const register = command(
  'registerWorker',
  fc.record({ id: aWorker, queues: someQueues, concurrency: fc.integer({ min: 1, max: 4 }) }),
  (model, { store }, { id, ...more }) => registerWorker(model, store, { ...identity(id), ...plainWorker, ...more }),
  (model, { id }) => !model.workers.has(id),
);

export async function registerWorker(model: Model, store: Store, worker: NewWorker): Promise<void> {
  await store.registerWorker(worker);
  const times = { startedAt: model.now, lastHeartbeat: model.now };
  model.workers.set(worker.id, { ...worker, ...times, stopRequested: null, notice: null, condemnedAt: null });
}

/** Mostly one that is registered; at 9 or when there is none, one that may be unknown. */
const aWorkerPick = fc.nat(9);
const workerOf = (model: Model, pick: number): string =>
  (pick < 9 ? pickOf([...model.workers.keys()], pick) : undefined) ?? 'w1';

/** Held by the worker, or lost by anybody. */
const aLease = fc.record({ held: fc.constantFrom(true, true, true, false), pick: aPick });
type LeasePick = { held: boolean; pick: number };

function leaseOf(model: Model, workerId: string, { held, pick }: LeasePick): Handed[] {
  const own = model.leases(model.held(workerId));
  const lost = model.handed.filter((lease) => !model.holds(lease));
  const lease = pickOf(held || lost.length === 0 ? own : lost, pick);
  return lease ? [lease] : [];
}

const anOutcome = fc.constantFrom(...OUTCOMES, 'worker_lost', 'worker_lost');

const aTurn = fc.record({
  worker: aWorkerPick,
  started: fc.array(aLease, { maxLength: 1 }),
  ended: fc.array(fc.record({ lease: aLease, outcome: anOutcome }), { maxLength: 3 }),
  want: fc.constantFrom(1, 0, 2, 2, 3, 4),
  queues: someQueues,
  only: fc.option(fc.nat(9), { nil: undefined, freq: 5 }),
  policy: aPolicy,
  maxConcurrentJobs: fc.constantFrom(null, null, null, null, 1, 2, 4),
});

const turn = command('turn', aTurn, async (model, { store }, args) => {
  const { want, policy, maxConcurrentJobs } = args;
  const worker = identity(workerOf(model, args.worker));
  const only = args.only === undefined ? undefined : (pickOf([...model.jobs.keys()], args.only) ?? 'unknown');
  const queues = only === undefined ? args.queues : null;
  const started = args.started.flatMap((pick) => leaseOf(model, worker.id, pick));
  const ended = args.ended.flatMap(({ lease, outcome }) =>
    leaseOf(model, worker.id, lease).map((handed) => ({ lease: handed, ending: endings[outcome] })),
  );
  const common = { worker, want, queues, policy, maxConcurrentJobs };
  const asked: Turn = {
    ...common,
    only,
    started: started.map((lease) => ({ ...plain(lease), pid: 99, pidStartedAt: '99' })),
    ended: ended.map(({ lease, ending }) => ({ ...plain(lease), ending })),
    logPath: workers.logPath,
  };
  const answer = await store.turn(asked);
  const start = started.map((lease) => ({ lease, pid: 99 }));
  const expected = workers.takeTurn(model, { ...common, only, started: start, ended });
  checkClaimed(model, answer.claimed, expected.claimed);
  assert.deepEqual(
    answer.settled,
    ended.map(({ lease }, i) => ({ ...plain(lease), state: expected.settled[i] })),
    'what was settled',
  );
  assert.deepEqual(leases(answer.cancelling), leases(expected.cancelling), 'what is to be ended');
  const { known, stopRequested, nextDueAt, settings } = answer;
  assert.deepEqual(
    { known, stopRequested, nextDueAt, settings },
    {
      known: expected.known,
      stopRequested: expected.stopRequested,
      nextDueAt: expected.nextDueAt,
      settings: model.stored(),
    },
    'what the turn tells',
  );
});

/** The jobs that the model would hand out, in that order, each with a lease that nobody had before. */
function checkClaimed(model: Model, claimed: readonly Claimed[], expected: readonly Entry[]): void {
  assert.deepEqual(
    claimed.map(({ job, run, logPath }) => ({ job, run, logPath })),
    expected.map(({ job, attempts }) => ({
      job: taskOf(job),
      run: attempts.length,
      logPath: job.logPath,
    })),
    'what was claimed',
  );
  for (const [index, entry] of expected.entries()) {
    const lease = plain(claimed[index] ?? { seq: -1, run: -1 });
    const before = model.handed.filter(({ seq, run }) => seq === lease.seq && run === lease.run);
    assert.deepEqual(before, [], 'a lease is handed out once');
    model.handed.push({ ...lease, entry });
  }
}

const plain = ({ seq, run }: Lease): Lease => ({ seq, run });
const leases = (all: readonly Lease[]): string[] => all.map(({ seq, run }) => `${seq}.${run}`).toSorted();

const renew = command(
  'renew',
  fc.record({ id: aWorker, notice: fc.constantFrom(null, 'the disk is full') }),
  async (model, { store }, { id, notice }) => {
    const answer = await store.renew(id, sign(notice));
    const worker = model.workers.get(id);
    if (worker) Object.assign(worker, { lastHeartbeat: model.now, notice });
    assert.deepEqual(answer && leases(answer), worker ? leases(model.leases(model.held(id))) : null);
  },
);

const someModes = fc.array(fc.constantFrom('graceful', 'force'), { minLength: 1, maxLength: 3 });
const requestStop = command(
  'requestStop',
  fc.record({ ids: fc.subarray(['w1', 'w2', 'unknown']), modes: someModes }),
  async (model, { store }, { ids, modes }) => {
    for (const mode of modes) {
      await store.requestStop(ids, mode);
      for (const worker of ids.flatMap((id) => model.workers.get(id) ?? [])) {
        if (worker.stopRequested !== 'force') worker.stopRequested = mode;
      }
    }
  },
);

const rescue = command('rescue', fc.record({ id: aWorker, policy: aPolicy }), (model, { store }, { id, policy }) =>
  same(
    () => rescueFrom(store, id, policy),
    () => workers.rescue(model, id, policy),
  ),
);

const running = command('runningOn', aWorker, async (model, { store }, id) => {
  const held = model.leases(model.held(id));
  assert.deepEqual(
    (await store.runningOn(id)).toSorted((a, b) => a.seq - b.seq),
    held
      .map(({ seq, entry }) => ({ ...entry.attempts.at(-1), seq, jobId: entry.job.id }))
      .toSorted((a, b) => a.seq - b.seq),
  );
});

const repairBackoffs = command('repairBackoffs', fc.constant(null), async (model, { store }) => {
  assert.equal(await store.repairBackoffs(), workers.repairBackoffs(model));
});

/** How often each comes, beside the others. */
export const workerCommands: readonly (readonly [number, fc.Arbitrary<Command>])[] = [
  [36, turn],
  [10, register],
  [4, rescue],
  [4, repairBackoffs],
  [1, renew],
  [1, running],
  [1, requestStop],
];
