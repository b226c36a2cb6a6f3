// Basic actions: enqueue, cancel, retry, delete, hold, change settings.

import { TRANSITIONS } from '../../src/job/lifecycle.ts';
import type { NewJobInput } from '../../src/queue/queue.ts';
import { type Action, enqueueAll, someCommand } from './action.ts';

/** Maximum backlog; more jobs would only wait longer. */
const BACKLOG = 300;

export const enqueue: Action = async (arena, queue, chance) => {
  const { queues } = await queue.overview();
  if (queues.reduce((sum, { counts }) => sum + counts.pending + counts.blocked, 0) > BACKLOG) return;
  const jobs = Array.from({ length: chance.integer(1, 20) }, (): NewJobInput => {
    const weight = chance.happens(0.1) ? chance.integer(2, 3) : 1;
    return {
      command: someCommand(arena, chance, { weight }),
      weight,
      priority: chance.integer(-2, 2),
      max_retries: chance.integer(0, 3),
      backoff_base: chance.between(0.05, 0.5),
      backoff_strategy: 'fixed',
      ...(chance.happens(0.2) ? { delay_seconds: chance.between(0, 2) } : {}),
      ...(chance.happens(0.1) ? { timeout_seconds: 0.3 } : {}),
      queue: chance.pick(['default', 'mail', 'images']),
    };
  });
  await enqueueAll(arena, queue, jobs);
};

export const cancel: Action = async (arena, queue, chance) => {
  const id = chance.pick([...arena.acknowledged]);
  if (id) await queue.store.cancel([id]);
};

export const retry: Action = async (arena, queue, chance) => {
  const id = chance.pick([...arena.acknowledged]);
  if (!id) return;
  arena.retried.add(id);
  await queue.store.retry([id], TRANSITIONS.retry.from);
};

export const remove: Action = async (arena, queue, chance) => {
  const id = chance.pick([...arena.acknowledged]);
  if (!id) return;
  arena.doubtful.add(id);
  await queue.remove([id]);
  arena.acknowledged.delete(id);
};

export const hold: Action = async (_, queue, chance) => {
  const waiting = await queue.idsOf({ states: ['pending'], sort: 'created', descending: true, limit: 20 });
  const id = chance.pick(waiting);
  if (id) await queue.change([id], { kind: 'hold', reason: 'somebody wants to look at it' });
};

export const release: Action = async (_, queue) => {
  await queue.changeAll({ held: true }, { kind: 'release' });
};

export const changeSetting: Action = async (_, queue, chance) => {
  const [key, value] = chance.pick([
    ['kill_grace', '0.2'],
    ['backoff_max', '1'],
    ['poll_interval', '0.5'],
  ]) as [string, string];
  await queue.setSetting(key, value);
};
