// What a job waits for that says how much memory it needs.

import { reservedBy } from '../job/confinement.ts';
import type { Job } from '../job/job.ts';
import type { Queue, WorkerView } from '../queue.ts';
import { sizeText } from '../text/size.ts';
import { memoryOfMachine } from '../worker/admission.ts';
import type { Wait } from './wait.ts';

/** By what is set for all workers, or else by the memory of this machine where all of them are on it. */
export async function needsTooMuch(queue: Queue, { confinement }: Job): Promise<Wait[]> {
  const needed = reservedBy(confinement);
  if (needed === 0) return [];
  const budget = (await queue.settings()).limit('memory_budget');
  const most = budget ?? (queue.spansHosts ? Number.POSITIVE_INFINITY : memoryOfMachine());
  if (needed <= most) return [];
  const message = `needs ${sizeText(needed)} of memory, and no worker may give more than ${sizeText(most)}`;
  return [{ reason: 'memory', message, hint: 'enqueue it with less --memory, or raise memory_budget' }];
}

/** What it needs is taken by others that run. */
export async function noMemory(
  queue: Queue,
  { confinement }: Job,
  workers: readonly WorkerView[],
): Promise<Wait | null> {
  const needed = reservedBy(confinement);
  if (needed === 0 || workers.length !== 1) return null;
  const budget = (await queue.settings()).limit('memory_budget') ?? memoryOfMachine();
  const running = await Promise.all((workers[0]?.running ?? []).map((id) => queue.get(id)));
  const taken = running.reduce((sum, job) => sum + reservedBy(job?.confinement ?? null), 0);
  if (needed + taken <= budget) return null;
  const message = `needs ${sizeText(needed)} of memory, and running jobs leave ${sizeText(budget - taken)} of ${sizeText(budget)}`;
  return { reason: 'memory', message, hint: null };
}
