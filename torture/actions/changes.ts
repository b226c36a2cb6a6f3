// Changes to waiting jobs: they move to other queues and back, are edited, or are run now.

import type { Queue } from '../../src/queue/queue.ts';
import type { Chance } from '../chance.ts';
import type { Action } from './action.ts';

/** A queue that stays paused until the faults are over, so nothing in it can be claimed. */
export const PARKED = 'parked';
/** Only queues without a limit: the ledger's command names the limits that apply to a job. */
const MOVABLE_FROM = ['default', 'mail', 'images', PARKED];
/** IDs that other jobs depend on. A parked dependency would keep its dependents waiting. */
const NEEDED = /^(flow|group|hooked|imported)-/;

export const move: Action = async (arena, queue, chance) => {
  const from = chance.pick(MOVABLE_FROM) ?? PARKED;
  const to = from === PARKED ? 'default' : (chance.pick(MOVABLE_FROM.filter((name) => name !== from)) ?? PARKED);
  const ids = (await waitingJobs(queue, chance, from)).slice(0, chance.integer(1, 5));
  arena.diary.tell(`move ${ids.join(', ')} from ${from} to ${to}`);
  for (const id of ids) await queue.change([id], editOf(queue, { queue: to })); // one may have started meanwhile
};

export const edit: Action = async (_, queue, chance) => {
  const [id] = await waitingJobs(queue, chance, 'default');
  const change = chance.pick([
    { priority: chance.integer(-3, 3) },
    { max_retries: chance.integer(0, 3) },
    { delay_seconds: chance.between(0, 1) },
  ]);
  if (id !== undefined) await queue.change([id], editOf(queue, change ?? {}));
};

export const runNow: Action = async (_, queue, chance) => {
  const [id] = await waitingJobs(queue, chance, 'default');
  if (id !== undefined) await queue.change([id], { kind: 'run-now' });
};

const editOf = (queue: Queue, fields: Parameters<Queue['readEdit']>[0]) =>
  ({ kind: 'edit', edit: queue.readEdit(fields, null, 'utc') }) as const;

/**
 * Half of the time, picks jobs that wait for a slot of their key, because moving and editing these is most likely to
 * fail.
 */
async function waitingJobs(queue: Queue, chance: Chance, name: string): Promise<string[]> {
  const key = chance.happens(0.5) ? chance.pick(['one-a', 'one-b', 'two', 'mixed']) : undefined;
  const jobs = await queue.list({
    states: ['pending', 'failed'],
    queue: name,
    key,
    sort: 'created',
    descending: chance.happens(0.5),
    limit: 10,
  });
  return jobs
    .filter(({ id, schedule, hookOf }) => !NEEDED.test(id) && schedule === null && hookOf === null)
    .map(({ id }) => id);
}
