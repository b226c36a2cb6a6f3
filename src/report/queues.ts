// Named queues as data: their counts, settings and workers.

import type { Confinement } from '../job/isolation/isolation.ts';
import { boundsToJson } from '../job/input/isolation-input.ts';
import type { Hooks } from '../job/flow/hooks.ts';
import type { JobState } from '../job/job.ts';
import { EVERY_QUEUE, type QueueLimit, UNLIMITED } from '../job/flow/concurrency.ts';
import { isoTime, type Json } from '../job/wire.ts';
import type { Queue } from '../queue/queue.ts';
import type { QueueCounts } from '../store/store.ts';
import { serves } from './workers.ts';
import { totalsOf } from './status.ts';

export interface QueueView extends QueueLimit {
  readonly counts: Readonly<Record<JobState, number>>;
  readonly workers: number;
  /** True if all queues are paused. */
  readonly isAllPaused: boolean;
  /** Hooks that run when any of its jobs finishes. */
  readonly hooks: Hooks;
  /** Required isolation of its jobs. */
  readonly confinement: Confinement;
}

/** Returns queues that have jobs or settings, by name. */
export async function queueViews(queue: Queue): Promise<QueueView[]> {
  const [{ queues }, limits] = [await queue.overview(), await queue.queues.limits()];
  const names = new Set([...queues, ...limits].map((one) => one.queue));
  names.delete(EVERY_QUEUE);
  return viewsOf(queue, [...names].sort(), queues, limits);
}

/** The queue may still have neither jobs nor settings. */
export async function queueView(queue: Queue, name: string): Promise<QueueView> {
  const [{ queues }, limits] = [await queue.overview(), await queue.queues.limits()];
  const [view] = await viewsOf(queue, [name], queues, limits);
  return view as QueueView;
}

async function viewsOf(
  queue: Queue,
  names: readonly string[],
  queues: readonly QueueCounts[],
  limits: readonly QueueLimit[],
): Promise<QueueView[]> {
  const workers = (await queue.workers()).filter(({ state }) => state !== 'lost');
  const isAllPaused = limits.some((limit) => limit.queue === EVERY_QUEUE && limit.pausedAt !== null);
  const views = names.map(async (name) => ({
    ...(limits.find((limit) => limit.queue === name) ?? { ...UNLIMITED, queue: name }),
    counts: queues.find((one) => one.queue === name)?.counts ?? totalsOf([]),
    workers: workers.filter((worker) => serves(worker, name)).length,
    isAllPaused,
    hooks: await queue.queues.hooks(name),
    confinement: await queue.queues.confinement(name),
  }));
  return Promise.all(views);
}

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
