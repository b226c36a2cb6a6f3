// Jobs with limits: by key, in a queue of two at once, in one with a changing limit, and in one with a rate; and
// changes of limits.

import { setTimeout as sleep } from 'node:timers/promises';
import type { NewJobInput, Queue } from '../../src/queue/queue.ts';
import type { Arena } from '../arena.ts';
import type { LimitPeriod } from '../checks/limits.ts';
import type { Gate } from '../ledger.ts';
import { PARKED } from './changes.ts';
import { type Action, enqueueAll, someCommand, waitingIn } from './action.ts';

/** A queue with a fixed concurrency limit. */
export const NARROW = { queue: 'narrow', concurrency: 2 } as const;
/** A queue with a rate and a burst. */
export const DRIP = { queue: 'drip', ratePerSecond: 8, burst: 3 } as const;

/** A queue whose concurrency limit changes all the time. */
export const VARYING = { queue: 'varying', most: 4 } as const;

/** Jobs of the key without a limit have different limits of their own. */
const KEYS: readonly { key: string; limit: number | null }[] = [
  { key: 'one-a', limit: 1 },
  { key: 'one-b', limit: 1 },
  { key: 'two', limit: 2 },
  { key: 'mixed', limit: null },
];

/** Maximum backlog of limited jobs; more would prevent all others from being enqueued. */
const PILE = 25;

export async function limitQueues(queue: Queue): Promise<void> {
  await queue.queues.limit(NARROW.queue, { concurrency: NARROW.concurrency });
  await queue.queues.limit(DRIP.queue, { ratePerSecond: DRIP.ratePerSecond, burst: DRIP.burst });
  await queue.queues.pause(PARKED);
}

/** Gates that apply to a job in this queue. */
export const gatesOfQueue = (name: string): Gate[] =>
  name === NARROW.queue ? [{ name: `queue:${name}`, limit: NARROW.concurrency }] : [];

/** Uses any queue, because keys span queues. */
export const enqueueKeyed: Action = async (arena, queue, chance) => {
  if ((await queue.waits.counts()).atGate > PILE) return;
  const jobs = Array.from({ length: chance.integer(1, 6) }, (): NewJobInput => {
    const { key, limit: fixed } = chance.pick(KEYS) as (typeof KEYS)[number];
    const limit = fixed ?? chance.integer(1, 3);
    const name = chance.pick(['default', 'mail', NARROW.queue]) ?? 'default';
    const weight = chance.happens(0.2) ? 2 : 1;
    const gates = [{ name: `key:${key}`, limit }, ...gatesOfQueue(name)];
    const command = someCommand(arena, chance, { gates, weight });
    return { command, key, key_concurrency: limit, weight, queue: name, ...hurried(chance.integer(0, 2)) };
  });
  await enqueueAll(arena, queue, jobs);
};

export const enqueueLimited: Action = async (arena, queue, chance) => {
  const name = chance.pick([NARROW.queue, DRIP.queue, VARYING.queue]) ?? NARROW.queue;
  if ((await waitingIn(queue, name)) > PILE) return;
  const jobs = Array.from({ length: chance.integer(1, 8) }, (): NewJobInput => {
    const command = someCommand(arena, chance, { gates: gatesOfQueue(name) });
    return { command, queue: name, ...hurried(chance.integer(0, 2)) };
  });
  await enqueueAll(arena, queue, jobs);
};

/** Short backoff after a failure. */
const hurried = (retries: number) => ({
  max_retries: retries,
  backoff_base: 0.1,
  backoff_strategy: 'fixed' as const,
});

/** No other action changes the limit while it is being checked. */
export const changeQueueLimit: Action = (arena, queue, chance) =>
  arena.alone(VARYING.queue, async () => {
    const limit = chance.integer(1, VARYING.most);
    await queue.queues.limit(VARYING.queue, { concurrency: limit });
    const what = { what: `queue ${VARYING.queue}`, queue: VARYING.queue, limit };
    await holdingFor(chance.between(200, 3000), arena, queue, what);
  });

export const changeJobLimit: Action = (arena, queue, chance) =>
  arena.alone('max_concurrent_jobs', async () => {
    const limit = chance.integer(1, 9);
    await queue.setSetting('max_concurrent_jobs', String(limit));
    await holdingFor(chance.between(200, 3000), arena, queue, { what: 'all jobs', queue: null, limit });
    if (chance.happens(0.8)) await queue.setSetting('max_concurrent_jobs', 'none');
  });

/** Keeps an acknowledged limit for a while, and records it with the jobs claimed before it. */
export async function holdingFor(
  ms: number,
  arena: Arena,
  queue: Queue,
  limit: Pick<LimitPeriod, 'what' | 'queue' | 'limit'>,
): Promise<void> {
  const acknowledgedAt = Date.now();
  const claimed = new Set(
    await queue.idsOf({ states: ['processing'], sort: 'created', descending: false, limit: null }),
  );
  const from = arena.ledger.size;
  arena.diary.tell(`limit of ${limit.limit} for ${limit.what}, ${claimed.size} claimed before`);
  await sleep(ms);
  arena.diary.tell(`limit of ${limit.limit} for ${limit.what} is over`);
  arena.limits.push({ ...limit, acknowledgedAt, claimed, from, until: arena.ledger.size });
}
