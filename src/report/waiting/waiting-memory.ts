// What a job waits for that needs memory to be left for it, by its own word or by that of its queue.

import { reservedBy } from '../../job/isolation/isolation.ts';
import type { Job } from '../../job/job.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { Queue, WorkerView } from '../../queue/queue.ts';
import type { Settings } from '../../settings/settings.ts';
import { sizeText } from '../../text/size.ts';
import { memoryOfMachine } from '../../worker/admission.ts';
import type { Wait } from './wait.ts';

type Asked = Pick<AnyQueue, 'settings' | 'workersServing' | 'spansHosts'>;
type Needing = Pick<Job, 'queue' | 'confinement'>;

const neededBy = ({ queue, confinement }: Needing, settings: Settings): number =>
  reservedBy(confinement, settings.confinement.memoryOfQueues?.[queue]);

/** What the worker was told, or what is set for all, or else the memory of this machine where all workers are on it. */
export const budgetOf = (queue: Asked, settings: Settings, worker?: WorkerView): number =>
  worker?.memoryBudget ??
  settings.limit('memory_budget') ??
  (queue.spansHosts ? Number.POSITIVE_INFINITY : memoryOfMachine());

/** More than any of its workers may give; or, while there are none, than one may give that is told nothing else. */
export async function needsTooMuch(queue: Asked, job: Job): Promise<Wait[]> {
  const settings = await queue.settings();
  const needed = neededBy(job, settings);
  if (needed === 0) return [];
  const workers = await queue.workersServing(job.queue);
  const budgets = workers.length === 0 ? [undefined] : workers;
  const most = Math.max(...budgets.map((worker) => budgetOf(queue, settings, worker)));
  if (needed <= most) return [];
  const message = `needs ${sizeText(needed)} of memory, but no worker has a budget of more than ${sizeText(most)}`;
  const hint = 'lower --memory, or raise the budget of a worker: queuectl worker start --memory-budget SIZE';
  return [{ reason: 'memory', message, hint }];
}

/** Others that run leave no worker as much as it needs. */
export async function noMemory(queue: Queue, job: Job, workers: readonly WorkerView[]): Promise<Wait | null> {
  const settings = await queue.settings();
  const needed = neededBy(job, settings);
  if (needed === 0) return null;
  const budgets = workers.map((worker) => budgetOf(queue, settings, worker));
  const left: number[] = [];
  for (const [i, { running }] of workers.entries()) {
    const taken = (await queue.getAll(running)).reduce((sum, other) => sum + neededBy(other, settings), 0);
    left.push((budgets[i] ?? 0) - taken);
  }
  const most = Math.max(...left);
  if (needed <= most) return null;
  const of = workers.length === 1 ? ` of ${sizeText(budgets[0] ?? 0)}` : ' on any worker';
  const message = `needs ${sizeText(needed)} of memory, but running jobs leave only ${sizeText(Math.max(0, most))}${of}`;
  return { reason: 'memory', message, hint: null };
}
