// Missing memory as a reason for waiting, for jobs that reserve memory themselves or through their queue.

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

/** The worker's own budget, else the setting, else the memory of this machine if all workers run on it. */
export const budgetOf = (queue: Asked, settings: Settings, worker?: WorkerView): number =>
  worker?.memoryBudget ??
  settings.limit('memory_budget') ??
  (queue.spansHosts ? Number.POSITIVE_INFINITY : memoryOfMachine());

/** The job needs more than the budget of any of its workers, or of a default worker if there are none. */
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

/** Running jobs leave no worker with enough memory. */
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
