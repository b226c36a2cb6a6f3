// Named queues as data: their counts, what is said of them, and who serves them.

import type { Confinement } from '../job/isolation/isolation.ts';
import { boundsToJson } from '../job/input/isolation-input.ts';
import type { Hooks } from '../job/flow/hooks.ts';
import type { JobState } from '../job/job.ts';
import { EVERY_QUEUE, type QueueLimit, UNLIMITED } from '../job/flow/concurrency.ts';
import { isoTime, type Json } from '../job/wire.ts';
import type { Queue } from '../queue/queue.ts';
import { serves } from './workers.ts';
import { totalsOf } from './status.ts';

export interface QueueView extends QueueLimit {
  readonly counts: Readonly<Record<JobState, number>>;
  /** How many workers serve it. */
  readonly workers: number;
  /** Everything is paused, this queue with it. */
  readonly isAllPaused: boolean;
  /** What the end of any of its jobs calls for. */
  readonly hooks: Hooks;
  /** What its jobs may use and touch, whatever they say themselves. */
  readonly confinement: Confinement;
}

/** Those that have jobs, and those of which something is said. */
export async function queueViews(queue: Queue): Promise<QueueView[]> {
  const [{ queues }, limits, workers] = [
    await queue.overview(),
    await queue.queues.limits(),
    await queue.workers(),
  ];
  const isAllPaused = limits.some((limit) => limit.queue === EVERY_QUEUE && limit.pausedAt !== null);
  const names = new Set([...queues.map((one) => one.queue), ...limits.map((one) => one.queue)]);
  names.delete(EVERY_QUEUE);
  const views = [...names].sort().map(async (name) => ({
    ...(limits.find((limit) => limit.queue === name) ?? { ...UNLIMITED, queue: name }),
    counts: queues.find((one) => one.queue === name)?.counts ?? totalsOf([]),
    workers: workers.filter((worker) => worker.state !== 'lost' && serves(worker, name)).length,
    isAllPaused,
    hooks: await queue.queues.hooks(name),
    confinement: await queue.queues.confinement(name),
  }));
  return Promise.all(views);
}

/** Of a queue of which nothing is known yet, too: it may be limited before its first job comes. */
export const queueView = async (queue: Queue, name: string): Promise<QueueView> =>
  (await queueViews(queue)).find((view) => view.queue === name) ?? {
    ...UNLIMITED,
    queue: name,
    counts: totalsOf([]),
    workers: (await queue.workers()).filter((worker) => worker.state !== 'lost' && serves(worker, name))
      .length,
    isAllPaused: false,
    hooks: await queue.queues.hooks(name),
    confinement: await queue.queues.confinement(name),
  };

export const queueToJson = (view: QueueView): Json => ({
  queue: view.queue,
  ...view.counts,
  workers: view.workers,
  paused: view.pausedAt !== null || view.isAllPaused,
  paused_at: isoTime(view.pausedAt),
  draining: view.drainingAt !== null,
  concurrency: view.concurrency,
  rate_per_second: view.ratePerSecond,
  burst: view.burst,
  hooks: view.hooks,
  ...boundsToJson(view.confinement),
});
