// Queues are paused and resumed again, one at a time. What starts meanwhile must have been claimed before.

import { EVERY_QUEUE } from '../../src/job/flow/concurrency.ts';
import type { Deed } from './deed.ts';
import { DRIP, holdingFor, NARROW, VARYING } from './limits.ts';

const PAUSED = ['default', 'mail', NARROW.queue, DRIP.queue, VARYING.queue, EVERY_QUEUE];

/** One at a time, so that nobody else resumes what somebody has paused. Whoever finds another at it does nothing. */
export const pauseQueue: Deed = (arena, queue, chance) =>
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
