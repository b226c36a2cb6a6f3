// queuectl wait: until jobs are final; answers with the exit code of the job.

import { setTimeout as sleep } from 'node:timers/promises';
import { QueueError } from '../../errors.ts';
import { exitCodeOf } from '../../job/exit-code.ts';
import { isFinal, type Job } from '../../job/job.ts';
import type { Queue } from '../../queue.ts';
import type { Command, Context, Result } from '../command.ts';
import { jobLines } from '../job-lines.ts';
import { NoWorkerNotice } from '../no-worker-notice.ts';
import { many } from '../render/human.ts';
import { someArguments } from '../required.ts';

const LOOK_AGAIN_MS = 50;

export const command: Command = {
  name: 'wait',
  purpose: 'look',
  summary: 'wait until jobs are final and exit with their exit code',
  usage: ['ID... [--timeout DURATION]'],
  options: { timeout: { kind: 'seconds', value: 'DURATION', means: 'give up after this time, exit 124' } },
  examples: [
    ['queuectl wait k3f9', 'exits with the exit code of the job'],
    ["id=$(queuectl enqueue --print-id 'make'); queuectl wait $id && echo built", 'in a script'],
    ['queuectl wait k3f9 --timeout 10m', 'exit code 124 when it takes longer'],
  ],
  notes: ['With several jobs: 0 when all completed, else the exit code of the first one that did not.'],
  completes: 'job',
  run,
};

async function run(context: Context): Promise<Result> {
  const queue = await context.queue();
  const jobs = await untilFinal(queue, await queue.findAll(someArguments(context, 'id', 'wait')), context);
  const exitCode = jobs.map(exitCodeOf).find((code) => code !== 0) ?? 0;
  const result = jobLines(jobs, (job) => (job.lastError ? `${job.state}: ${job.lastError}` : job.state));
  return { ...result, exitCode };
}

/** A worker with one slot would wait for itself. */
function sayThatASlotIsHeld({ environment, terminal }: Context): void {
  const id = environment.QUEUECTL_JOB_ID;
  if (id) terminal.notice(`job ${id} holds a slot of its worker while it waits here`);
}

async function untilFinal(queue: Queue, jobs: readonly Job[], context: Context): Promise<Job[]> {
  const timeout = context.options.number('timeout');
  const deadline = performance.now() + (timeout ?? Number.POSITIVE_INFINITY) * 1000;
  const final = new Map<string, Job>();
  const notice = new NoWorkerNotice(queue, context.terminal);
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
      if (left.length === 0) return jobs.map(({ id }) => final.get(id)).filter((job) => job !== undefined);
      if (performance.now() >= deadline) throw ranOut(timeout ?? 0, left, notice.current);
      await notice.look(seen);
      context.terminal.progress(`waiting for ${many(left.length, 'job')}`);
      await sleep(Math.min(LOOK_AGAIN_MS, Math.max(0, deadline - performance.now())));
    }
  } finally {
    context.terminal.progress('');
  }
}

function ranOut(seconds: number, ids: readonly string[], reason: string | null): QueueError {
  const hint = reason ?? 'queuectl show tells what it waits for';
  return new QueueError('wait_timeout', { seconds, ids: ids.slice(0, 5).join(', '), hint });
}
