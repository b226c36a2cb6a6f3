// Pauses and resumes queues, one at a time. Jobs that start meanwhile must have been claimed before.

import { EVERY_QUEUE } from '../../src/job/flow/concurrency.ts';
import type { Action } from './action.ts';
import { DRIP, holdingFor, NARROW, VARYING } from './limits.ts';

const PAUSED = ['default', 'mail', NARROW.queue, DRIP.queue, VARYING.queue, EVERY_QUEUE];

/** Exclusive, so that no other action resumes the paused queue. Does nothing if a pause is in progress. */
export const pauseQueue: Action = (arena, queue, chance) =>
  arena.alone('pause', async () => {
    const name = chance.pick(PAUSED) ?? EVERY_QUEUE;
    try {
      await queue.queues.pause(name);
      const what = { what: `paused ${name}`, queue: name === EVERY_QUEUE ? null : name, limit: 0 };
      await holdingFor(chance.between(200, 3000), arena, queue, what);
    } finally {
      await queue.queues.resume(name);
    }
  });
