// One user action on a queue. Acknowledged actions are recorded; an error is acceptable, a false acknowledgement is
// not.

import type { Job } from '../../src/job/job.ts';
import type { NewJobInput, Queue } from '../../src/queue/queue.ts';
import type { Arena } from '../arena.ts';
import type { Chance } from '../chance.ts';
import type { Label } from '../ledger.ts';

export type Action = (arena: Arena, queue: Queue, chance: Chance) => Promise<void>;

const KEPT = ['PATH', 'QUEUECTL_JOB_ID', 'QUEUECTL_QUEUE', 'QUEUECTL_WORKER_ID', 'QUEUECTL_HOST'];

/**
 * Occasionally returns a job without the mark by which it is found. It keeps only the variables that its ledger and the
 * arena need.
 */
export function someCommand(arena: Arena, chance: Chance, label: Label = {}): string | string[] {
  const work = `RANDOM_SEED=${chance.integer(0, 99)}; ${chance.pick(arena.work)}`;
  const script = arena.ledger.command(work, label);
  if (!chance.happens(0.2)) return script;
  const kept = [...KEPT, ...Object.keys(arena.mark)].map((name) => `${name}="$${name}"`).join(' ');
  // Delayed at first: if its worker is killed before the PID is recorded, the job could not be found.
  return ['sh', '-c', `sleep 0.1; exec env -i ${kept} sh -c "$1"`, 'sh', script];
}

export async function enqueueAll(arena: Arena, queue: Queue, jobs: readonly NewJobInput[]): Promise<Job[]> {
  const stored = await queue.enqueue(jobs);
  for (const { id } of stored) arena.acknowledged.add(id);
  return stored;
}

/** Counts the jobs of this queue that are not running yet. */
export async function waitingIn(queue: Queue, name: string): Promise<number> {
  const { queues } = await queue.overview();
  const counts = queues.find((one) => one.queue === name)?.counts;
  return (counts?.pending ?? 0) + (counts?.blocked ?? 0);
}
