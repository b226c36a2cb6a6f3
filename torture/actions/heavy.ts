// Jobs that reserve memory, and jobs that no worker of the fleet can run because they need too many slots or too much
// memory. The latter must not keep other jobs of their queue, key or group from running.

import type { NewJobInput } from '../../src/queue/queue.ts';
import { type Action, enqueueAll, someCommand } from './action.ts';

/** Total memory that the jobs of one worker may reserve. */
export const MEMORY_BUDGET_GIB = 4;
/** The tag of jobs that no worker can run. They are cancelled when everything else has finished. */
export const TOO_HEAVY = 'too-heavy';
/** More than a claim may skip. */
const MOST_TOO_HEAVY = 80;

export const enqueueReserving: Action = async (arena, queue, chance) => {
  const jobs = Array.from({ length: chance.integer(1, 4) }, (): NewJobInput => {
    const memoryGib = chance.integer(1, MEMORY_BUDGET_GIB);
    return {
      command: someCommand(arena, chance, { memoryGib }),
      limits: { memory: `${memoryGib}G` },
      max_retries: 0,
      queue: chance.pick(['default', 'mail']),
    };
  });
  await enqueueAll(arena, queue, jobs);
};

export const enqueueTooHeavy: Action = async (_, queue, chance) => {
  const there = await queue.idsOf({
    tag: TOO_HEAVY,
    states: ['pending'],
    sort: 'created',
    descending: false,
    limit: null,
  });
  if (there.length >= MOST_TOO_HEAVY) return;
  const key = chance.happens(0.3) ? { key: 'one-a' } : {};
  const need = chance.happens(0.5) ? { weight: 50 } : { limits: { memory: '900G' } };
  const job = {
    command: 'true',
    priority: chance.integer(-1, 3),
    tags: [TOO_HEAVY],
    queue: chance.pick(['default', 'mail']),
    ...need,
    ...key,
  };
  await queue.enqueue(Array.from({ length: chance.integer(1, 40) }, () => job));
};
