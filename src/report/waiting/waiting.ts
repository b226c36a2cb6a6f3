// Why a job is not running: all obstacles, those that need a user first.

import { isDue } from '../../job/due.ts';
import type { Job } from '../../job/job.ts';
import { DEFAULT_WEIGHT } from '../../job/flow/concurrency.ts';
import { isClaimable, isRunning } from '../../job/state-sets.ts';
import { holdsBack } from '../../worker/holds-back.ts';
import type { Queue, WorkerView } from '../../queue/queue.ts';
import type { StoredWait } from '../../store/store.ts';
import { wouldBeClaimed } from './claim-preview.ts';
import { held, type Wait } from './wait.ts';
import { waitsAtGate, waitsForQueue, waitsInLine } from './waiting-limits.ts';
import { needsTooMuch, noMemory } from './waiting-memory.ts';
import { waitsForOthers } from './waiting-others.ts';

export type { Wait } from './wait.ts';

/** Returns all reasons; none if the job is running or finished. */
export async function waitsFor(queue: Queue, job: Job): Promise<Wait[]> {
  if (job.state === 'blocked') return [...(await waitsForOthers(queue, job)), ...held(job)];
  if (isRunning(job.state)) return waitsForRescue(queue, job);
  if (!isClaimable(job.state)) return [];
  const isItsTime = isDue(job.nextRunAt, queue.now());
  const time = isItsTime ? [] : [SCHEDULED];
  if (job.held !== null) return [...held(job), ...time];
  return [...time, ...(await waitsForTurn(queue, job, isItsTime))];
}

/** Before a job is due, only lasting obstacles are reported, because the others may change until then. */
async function waitsForTurn(queue: Queue, job: Job, isItsTime: boolean): Promise<Wait[]> {
  const workers = await queue.workersServing(job.queue);
  const lasting = [
    ...(await waitsForQueue(queue, job, isItsTime)),
    ...(workers.length === 0 ? [await noWorker(queue, job.queue)] : tooHeavy(job, workers)),
    ...(await needsTooMuch(queue, job)),
  ];
  if (!isItsTime) return lasting;
  const stored = await queue.waits.ofJob(job.id);
  const gate = stored?.gate ? await waitsAtGate(queue, job, stored.gate) : [];
  const passing = lasting.length + gate.length > 0 ? [] : await waitsForWorker(queue, job, workers);
  const isNext = passing[0]?.reason === 'next_poll' && (await isNextClaim(queue, job, workers, stored));
  const line = stored?.line && !isNext ? waitsInLine(stored.line, lasting) : [];
  const holding = isNext ? passing : passing.filter(({ reason }) => reason !== 'next_poll');
  const all = [...lasting, ...gate, ...holding, ...line];
  return all.length > 0 ? all : [NO_WORKER_FITS];
}

/** A job that a turn has to make ready first cannot be previewed. */
const isNextClaim = async (
  queue: Queue,
  job: Job,
  workers: readonly WorkerView[],
  stored: StoredWait | null,
): Promise<boolean> => stored === null || !stored.isClaimable || wouldBeClaimed(queue, job, workers);

const NO_WORKER_FITS: Wait = {
  reason: 'workers_busy',
  message: 'no worker has enough free slots and memory for it at the moment',
  hint: null,
};

/** A processing job is waiting if its worker is lost and no rescue has happened yet. */
async function waitsForRescue(queue: Queue, job: Job): Promise<Wait[]> {
  const workers = await queue.workers();
  if (workers.some(({ id, state }) => id === job.lockedBy && state !== 'lost')) return [];
  const isAnyRunning = workers.some(({ state }) => state !== 'lost');
  const hint = isAnyRunning ? 'another worker takes over the job within seconds' : startCommand(job.queue, false);
  return [{ reason: 'worker_lost', message: `worker ${job.lockedBy} is lost`, hint }];
}

const SCHEDULED: Wait = { reason: 'scheduled', message: 'scheduled for next_run_at', hint: null };

/** Returns exactly one reason. */
async function waitsForWorker(queue: Queue, job: Job, workers: readonly WorkerView[]): Promise<Wait[]> {
  const wait =
    degraded(workers) ?? (await atLimit(queue)) ?? (await noMemory(queue, job, workers)) ?? busy(workers, job);
  if (wait) return [wait];
  return [{ reason: 'next_poll', message: 'a worker is free and starts the job at its next poll', hint: null }];
}

async function noWorker(queue: Queue, name: string): Promise<Wait> {
  const isAnyRunning = (await queue.workers()).some(({ state }) => state !== 'lost');
  return {
    reason: 'no_worker',
    message: isAnyRunning ? `no worker serves queue ${name}` : 'no worker is running',
    hint: startCommand(name, isAnyRunning),
  };
}

/** Starts one worker that serves all of these queues. */
export const startCommandFor = (queues: readonly string[], besideOthers: boolean): string =>
  startCommand(queues.length === 1 ? (queues[0] ?? '') : 'default', besideOthers);

/** A worker without options serves every queue, so the queue is named only if other workers are running. */
export const startCommand = (queue: string, besideOthers: boolean): string =>
  `queuectl worker start${besideOthers && queue !== 'default' ? ` --queue ${queue}` : ''}`;

/** `workers` are those that serve the queue, at least one. */
export function tooHeavy({ weight, queue }: Job, workers: readonly WorkerView[]): Wait[] {
  const slots = weight ?? DEFAULT_WEIGHT;
  const most = Math.max(...workers.map(({ concurrency }) => concurrency));
  if (slots <= most) return [];
  return [
    {
      reason: 'weight',
      message: `needs ${slots} slots, but no worker of queue ${queue} has more than ${most}`,
      hint: `queuectl worker start --concurrency ${slots}`,
    },
  ];
}

function degraded(workers: readonly WorkerView[]): Wait | null {
  const [first] = workers;
  if (!first || workers.some(({ notice }) => notice === null)) return null;
  const waiting = workers.find(({ notice }) => notice !== null && holdsBack(notice));
  if (waiting)
    return {
      reason: 'start_conditions',
      message: `worker ${waiting.id} ${waiting.notice}`,
      hint: 'queuectl worker list',
    };
  return {
    reason: 'workers_degraded',
    message: `all workers are degraded: ${first.notice}`,
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
    message: `max_concurrent_jobs reached (${running} of ${limit} running)`,
    hint: 'queuectl config set max_concurrent_jobs N',
  };
}

function busy(workers: readonly WorkerView[], { queue, weight }: Job): Wait | null {
  const slots = weight ?? DEFAULT_WEIGHT;
  if (workers.some(({ running, concurrency }) => running.length + slots <= concurrency)) return null;
  const who = workers.length === 1 ? 'the only worker is busy' : `all ${workers.length} workers are busy`;
  return { reason: 'workers_busy', message: who, hint: startCommand(queue, true) };
}
