// A queue with something of everything that metrics tell of.

import type { Queue } from '../../src/queue/queue.ts';
import { newSchedule } from '../store/populated.ts';
import { addDeadWorker, addWorker, claim, runJob } from './library.ts';

const job = (id: string, more: object = {}) => ({ id, command: 'true', ...more });

/** Two jobs completed, one is dead, one was cancelled, one runs and one waits; a limit and a schedule. */
export async function liveIn(queue: Queue): Promise<void> {
  await addWorker(queue, 'w', { concurrency: 2 });
  await addDeadWorker(queue, 'dead');
  await queue.enqueue([
    job('a'),
    job('b', { queue: 'mail' }),
    job('c', { max_retries: 0 }),
    job('d'),
    job('e'),
    job('f', { key: 'k' }),
  ]);
  await runJob(queue, 'a', 'w', 'completed');
  await runJob(queue, 'b', 'w', 'completed');
  await runJob(queue, 'c', 'w', 'failed');
  await queue.cancel(['d']);
  await claim(queue, 'e', 'w');
  await queue.queues.limit('mail', { concurrency: 4, ratePerSecond: 0.5, pausedAt: 1 });
  await queue.store.schedules.add([{ ...newSchedule(1), nextAt: queue.now() + 3_600_000 }], null);
}
