// Waits until all jobs with these IDs are finished.

import { setTimeout as sleep } from 'node:timers/promises';
import { QueueError } from '../../errors/errors.ts';
import { exitCodeOf } from '../../job/exit-code.ts';
import { isFinal, type Job } from '../../job/job.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { Context, Result } from '../command.ts';
import { jobLines } from './job-lines.ts';
import { NoWorkerNotice } from '../enqueue/no-worker-notice.ts';
import { WaitNotice } from '../enqueue/wait-notice.ts';
import { many } from '../render/kit/human.ts';
import { progressOf } from '../render/inside.ts';

const LOOK_AGAIN_MS = 50;
const SHOWN_CHARACTERS = 50;

export interface JobWait {
  readonly timeoutSeconds?: number | undefined;
  /** This process runs the jobs: no need to look for workers. */
  readonly isServed?: boolean | undefined;
  /** Stops waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** Exit code: 0 if all jobs completed, otherwise the exit code of the first that did not. */
export async function waitForJobs(
  context: Context,
  queue: AnyQueue,
  jobs: readonly Job[],
  wait: JobWait,
): Promise<Result> {
  const final = await untilFinal(context, queue, jobs, wait);
  const exitCode = final.map(exitCodeOf).find((code) => code !== 0) ?? 0;
  return { ...jobLines(final, endText), exitCode };
}

const endText = ({ name, state, lastError }: Job): string =>
  [...(name === null ? [] : [name]), lastError ? `${state}: ${lastError}` : state].join('  ');

/** Waiting inside a job of a worker with one slot would never end. */
function sayThatASlotIsHeld({ environment, terminal }: Context): void {
  const id = environment.QUEUECTL_JOB_ID;
  if (id) terminal.notice(`job ${id} occupies a slot of its worker while it waits`);
}

async function untilFinal(
  context: Context,
  queue: AnyQueue,
  jobs: readonly Job[],
  { timeoutSeconds, isServed, signal }: JobWait,
): Promise<Job[]> {
  const deadline = performance.now() + (timeoutSeconds ?? Number.POSITIVE_INFINITY) * 1000;
  const final = new Map<string, Job>();
  const notice = new NoWorkerNotice(queue, context.terminal);
  const reason = new WaitNotice(queue, context.terminal);
  let left = jobs.map(({ id }) => id);
  if (!jobs.every(({ state }) => isFinal(state))) sayThatASlotIsHeld(context);
  try {
    for (;;) {
      const seen: Job[] = [];
      for (const id of left) {
        const job = await queue.get(id);
        if (!job) throw new QueueError('job_not_found', { id });
        if (isFinal(job.state)) final.set(id, job);
        seen.push(job);
      }
      left = left.filter((id) => !final.has(id));
      if (left.length === 0 || signal?.aborted)
        return jobs.map(({ id }) => final.get(id)).filter((job) => job !== undefined);
      if (!isServed) await notice.look(seen);
      await reason.look(seen);
      if (performance.now() >= deadline) throw ranOut(timeoutSeconds ?? 0, left, notice.current);
      context.terminal.progress(waitingText(seen.filter(({ id }) => left.includes(id))));
      await sleep(Math.min(LOOK_AGAIN_MS, Math.max(0, deadline - performance.now())));
    }
  } finally {
    context.terminal.progress('');
  }
}

/** Includes the progress of the first job that reports it. */
function waitingText(jobs: readonly Job[]): string {
  const said = jobs.map(progressOf).find((text) => text !== '');
  return `waiting for ${many(jobs.length, 'job')}${said === undefined ? '' : `: ${said.slice(0, SHOWN_CHARACTERS)}`}`;
}

function ranOut(seconds: number, ids: readonly string[], reason: string | null): QueueError {
  const hint = reason ?? 'to see why a job is waiting: queuectl why ID';
  return new QueueError('wait_timeout', { seconds, ids: ids.slice(0, 5).join(', '), hint });
}
