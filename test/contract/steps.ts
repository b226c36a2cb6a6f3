// Random steps: what people and workers do to a queue, each with a name for the report of a failure.

import fc from 'fast-check';
import { FINAL_STATES, type JobState, OUTCOMES, STATES } from '../../src/job/job.ts';
import { TRANSITIONS } from '../../src/job/lifecycle.ts';
import { newJob } from '../support/jobs.ts';
import { type Bench, policy } from './bench.ts';
import { rescue } from '../support/workers.ts';

export interface Step {
  take(b: Bench): Promise<unknown>;
  toString(): string;
}

const step = (name: string, take: Step['take']): Step => ({ take, toString: () => name });

const aWorker = fc.constantFrom('w1', 'w2');
const aPick = fc.nat(50);
const pickOf = <T>(items: readonly T[], pick: number): T | undefined => items[pick % items.length];

const enqueue = fc
  .record({
    queue: fc.constantFrom('default', 'mail'),
    priority: fc.nat(2),
    maxRetries: fc.nat(2),
    delayMs: fc.constantFrom(0, 0, 1000, 3000),
  })
  .map(({ delayMs, ...fields }) =>
    step('enqueue', async (b) => {
      const ids = await b.ids();
      const id = `j${Math.max(0, ...ids.map((known) => Number(known.slice(1)))) + 1}`;
      await b.enqueue(newJob(id, { ...fields, runAt: b.now + delayMs }));
    }),
  );

const claim = fc
  .tuple(fc.integer({ min: 1, max: 3 }), aWorker)
  .map(([want, worker]) => step(`${worker} claims ${want}`, (b) => b.claim(want, {}, worker)));

const end = fc.tuple(aPick, aWorker, fc.constantFrom(...OUTCOMES)).map(([pick, worker, outcome]) =>
  step(`${worker} ends one: ${outcome}`, async (b) => {
    const held = pickOf(await b.store.runningOn(worker), pick);
    if (held) await b.end(held, outcome);
  }),
);

const lose = aWorker.map((worker) =>
  step(`${worker} is lost`, async (b) => {
    await rescue(b.store, worker, policy);
    await b.worker(worker);
  }),
);

const later = fc.constantFrom(1000, 5000).map((ms) => step(`${ms} ms pass`, async (b) => b.later(ms)));

const retry = oneIn('retry', TRANSITIONS.retry.from, (b, id) => b.store.retry([id], STATES));
const retryAll = fc.constant(step('retry all', (b) => b.retryAll({})));
const cancellable = [...TRANSITIONS.cancel.from, ...TRANSITIONS.stop.from];
const cancel = oneIn('cancel', cancellable, (b, id) => b.store.cancel([id]));
const removable = STATES.filter((state) => state !== 'processing');
const remove = oneIn('remove', removable, (b, id) => b.store.remove([id]));
const prune = fc
  .nat(2)
  .map((keep) => step(`prune, keep ${keep}`, (b) => b.store.prune({ states: FINAL_STATES, keep }, 3)));

/** Does it to one job that is in one of these states, if there is one. */
function oneIn(name: string, states: readonly JobState[], act: (b: Bench, id: string) => Promise<unknown>) {
  return aPick.map((pick) =>
    step(name, async (b) => {
      const jobs = (await b.all()).filter(({ state }) => states.includes(state));
      const job = pickOf(jobs, pick);
      if (job) await act(b, job.id);
    }),
  );
}

export const aStep: fc.Arbitrary<Step> = fc.oneof(
  ...[enqueue, claim, end].map((arbitrary) => ({ weight: 4, arbitrary })),
  ...[lose, later, retry, retryAll, cancel, remove, prune].map((arbitrary) => ({ weight: 1, arbitrary })),
);
