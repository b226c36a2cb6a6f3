// Why a job is not running: what everyone asks of a queue.

import { isDue } from '../job/due.ts';
import type { Job } from '../job/job.ts';
import { isClaimable, isRunning } from '../job/state-sets.ts';
import type { Queue, WorkerView } from '../queue.ts';

export interface Wait {
  readonly reason:
    | 'other_jobs'
    | 'its_time'
    | 'no_worker'
    | 'degraded_workers'
    | 'max_concurrent_jobs'
    | 'busy_workers'
    | 'next_turn'
    | 'lost_worker';
  readonly message: string;
  readonly hint: string | null;
}

/** What it waits for, all of it: nothing when it is running or has ended. */
export async function waitsFor(queue: Queue, job: Job): Promise<Wait[]> {
  if (job.state === 'blocked')
    return [{ reason: 'other_jobs', message: 'waits for other jobs to end', hint: null }];
  if (isRunning(job.state)) return waitsForRescue(queue, job);
  if (!isClaimable(job.state)) return [];
  const isItsTime = isDue(job.nextRunAt, queue.now());
  const worker = await waitsForWorker(queue, job, isItsTime);
  return [...(isItsTime ? [] : [ITS_TIME]), ...(worker ? [worker] : [])];
}

/** It does not really run when its worker has died and nobody has noticed yet. */
async function waitsForRescue(queue: Queue, job: Job): Promise<Wait[]> {
  const workers = await queue.workers();
  if (workers.some(({ id, state }) => id === job.lockedBy && state !== 'lost')) return [];
  const isAnyRunning = workers.some(({ state }) => state !== 'lost');
  const hint = isAnyRunning ? 'another takes it over within seconds' : startCommand(job.queue, false);
  return [{ reason: 'lost_worker', message: `its worker ${job.lockedBy} is lost`, hint }];
}

const ITS_TIME: Wait = { reason: 'its_time', message: 'waits for its time, next_run_at', hint: null };

/** Before its time, only that no worker would take it then is worth saying: the rest may change until it comes. */
async function waitsForWorker(queue: Queue, job: Job, isItsTime: boolean): Promise<Wait | null> {
  const workers = await queue.workersServing(job.queue);
  if (workers.length === 0) return noWorker(queue, job.queue);
  if (!isItsTime) return null;
  return (
    degraded(workers) ??
    (await atLimit(queue)) ??
    busy(workers, job.queue) ?? {
      reason: 'next_turn',
      message: 'a worker is free and takes it at its next turn',
      hint: null,
    }
  );
}

async function noWorker(queue: Queue, name: string): Promise<Wait> {
  const isAnyRunning = (await queue.workers()).some(({ state }) => state !== 'lost');
  return {
    reason: 'no_worker',
    message: isAnyRunning ? `no worker serves queue ${name}` : 'no worker is running',
    hint: startCommand(name, isAnyRunning),
  };
}

/** A plain worker serves every queue; only beside others does naming the queue make sense. */
export const startCommand = (queue: string, besideOthers: boolean): string =>
  `queuectl worker start${besideOthers && queue !== 'default' ? ` --queue ${queue}` : ''}`;

function degraded(workers: readonly WorkerView[]): Wait | null {
  const [first] = workers;
  if (!first || workers.some(({ notice }) => notice === null)) return null;
  return {
    reason: 'degraded_workers',
    message: `its workers are in trouble: ${first.notice}`,
    hint: 'queuectl doctor',
  };
}

async function atLimit(queue: Queue): Promise<Wait | null> {
  const limit = (await queue.settings()).limit('max_concurrent_jobs');
  if (limit === null) return null;
  const { queues } = await queue.overview();
  const running = queues.reduce((sum, { counts }) => sum + counts.processing, 0);
  if (running < limit) return null;
  return {
    reason: 'max_concurrent_jobs',
    message: `max_concurrent_jobs is reached (${running} of ${limit} run)`,
    hint: 'queuectl config set max_concurrent_jobs N',
  };
}

function busy(workers: readonly WorkerView[], name: string): Wait | null {
  if (workers.some(({ running, concurrency }) => running.length < concurrency)) return null;
  const who = workers.length === 1 ? 'its only worker is busy' : `all ${workers.length} workers are busy`;
  return { reason: 'busy_workers', message: who, hint: startCommand(name, true) };
}
