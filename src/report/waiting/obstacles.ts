// Short reasons why the due jobs of a list cannot run now. `why` finds all reasons of one job; a list may make only a bounded
// number of queries.

import { QueueError } from '../../errors/errors.ts';
import { isDue } from '../../job/due.ts';
import type { Job } from '../../job/job.ts';
import {
  DEFAULT_KEY_CONCURRENCY,
  DEFAULT_WEIGHT,
  EVERY_QUEUE,
  type GateUse,
  gateRoom,
  UNUSED_GATE,
} from '../../job/flow/concurrency.ts';
import { isClaimable } from '../../job/state-sets.ts';
import type { AnyQueue } from '../../queue/interface.ts';

/** Maximum number of queues, keys and groups to check. */
const LIMITS_AT_MOST = 50;
const RUNNING = { states: ['processing'], sort: 'created', descending: false, limit: 1000 } as const;

type ById = ReadonlyMap<string, string>;

/** Keyed by job ID, without jobs that can run now. */
export async function obstaclesOf(queue: AnyQueue, jobs: readonly Job[]): Promise<ById> {
  const due = jobs.filter((job) => isClaimable(job.state) && isDue(job.nextRunAt, queue.now()));
  if (due.length === 0) return new Map();
  try {
    return await obstaclesOfDue(queue, due);
  } catch (error) {
    if (error instanceof QueueError && error.code === 'not_for_jobs') return new Map(); // called from inside a job
    throw error;
  }
}

async function obstaclesOfDue(queue: AnyQueue, due: readonly Job[]): Promise<ById> {
  const ofQueue = await byName(
    due.map((job) => job.queue),
    await checkerOfQueues(queue),
  );
  const keys = await useOfKeys(queue, [...new Set(due.flatMap(({ key }) => key ?? []))]);
  const isGroupFull = await byName(
    due.flatMap(({ group }) => group ?? []),
    (group) => isFull(queue, group),
  );
  const wordFor = ({ queue: name, key, keyConcurrency, group, weight }: Job): string | null => {
    const { word = null, slots = 0 } = ofQueue.get(name) ?? {};
    if (word !== null) return word;
    if ((weight ?? DEFAULT_WEIGHT) > slots) return 'too heavy';
    const use = key === null ? undefined : keys.get(key);
    if (use && gateRoom(use, limitOf({ keyConcurrency })) < 1) return 'no free key slot';
    return group !== null && isGroupFull.get(group) ? 'no free group slot' : null;
  };
  return new Map(due.flatMap((job): [string, string][] => entryOf(job.id, wordFor(job))));
}

const entryOf = (id: string, word: string | null): [string, string][] => (word === null ? [] : [[id, word]]);

async function byName<T>(
  names: readonly string[],
  look: (name: string) => Promise<T> | T,
): Promise<ReadonlyMap<string, T>> {
  const found = new Map<string, T>();
  for (const name of [...new Set(names)].slice(0, LIMITS_AT_MOST)) found.set(name, await look(name));
  return found;
}

interface Standing {
  /** Why no job of the queue can run, or null. */
  readonly word: string | null;
  /** Slots of its largest worker. */
  readonly slots: number;
}

async function checkerOfQueues(queue: AnyQueue): Promise<(name: string) => Promise<Standing>> {
  const paused = (await queue.queues.limits()).filter(({ pausedAt }) => pausedAt !== null);
  const isPaused = (name: string): boolean =>
    paused.some((limit) => limit.queue === name || limit.queue === EVERY_QUEUE);
  return async (name) => {
    if (isPaused(name)) return { word: 'paused', slots: 0 };
    const workers = await queue.workersServing(name);
    if (workers.length === 0) return { word: 'no worker', slots: 0 };
    return { word: null, slots: Math.max(...workers.map(({ concurrency }) => concurrency)) };
  };
}

const limitOf = ({ keyConcurrency }: Pick<Job, 'keyConcurrency'>): number => keyConcurrency ?? DEFAULT_KEY_CONCURRENCY;

/** Returns the use of keys that running jobs have. */
async function useOfKeys(queue: AnyQueue, keys: readonly string[]): Promise<ReadonlyMap<string, GateUse>> {
  const found = new Map<string, GateUse>();
  if (keys.length === 0) return found;
  const key = keys.slice(0, LIMITS_AT_MOST);
  for (const job of await queue.list({ ...RUNNING, key })) {
    const { running, strictest } = found.get(job.key ?? '') ?? UNUSED_GATE;
    found.set(job.key ?? '', { running: running + 1, strictest: Math.min(strictest, limitOf(job)) });
  }
  return found;
}

async function isFull(queue: AnyQueue, name: string): Promise<boolean> {
  const { concurrency, counts } = await queue.groups.get(name);
  return concurrency !== null && counts.processing >= concurrency;
}
