// queuectl cancel: a waiting job at once; a running one is ended by its worker, and we wait for that.

import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal, type Job } from '../../job/job.ts';
import { isRunning } from '../../job/state-sets.ts';
import type { Queue } from '../../queue.ts';
import { rescueNow } from '../../worker/crew.ts';
import type { Command, Context, Result } from '../command.ts';
import { jobLines } from '../job-lines.ts';
import { someArguments } from '../required.ts';

const LOOK_AGAIN_MS = 50;
const RESCUE_EVERY_MS = 1000;
/** What a worker may need beyond the grace period of the job. */
const MARGIN_MS = 10_000;

export const command: Command = {
  name: 'cancel',
  purpose: 'repair',
  summary: 'stop jobs, running ones with TERM and then KILL',
  usage: ['ID...'],
  options: { 'no-wait': { kind: 'flag', means: 'do not wait until a running job has ended' } },
  examples: [
    ['queuectl cancel k3f9', 'end it if it runs, and do not run it again'],
    ['queuectl config set kill_grace 30s', 'more time between TERM and KILL'],
  ],
  completes: 'job',
  run,
};

async function run(context: Context): Promise<Result> {
  const queue = await context.queue();
  const jobs = await queue.cancel(someArguments(context, 'id', 'cancel'));
  const ended = context.options.has('no-wait') ? jobs : await untilFinal(queue, jobs, context);
  return jobLines(ended, (job) => (isRunning(job.state) ? 'is being ended' : job.state));
}

async function untilFinal(queue: Queue, jobs: readonly Job[], { terminal }: Context): Promise<Job[]> {
  const deadline = performance.now() + (await queue.settings()).ms('kill_grace') + MARGIN_MS;
  let rescuedAt = performance.now();
  for (;;) {
    const now = (await Promise.all(jobs.map(({ id }) => queue.get(id)))).filter((job) => job !== null);
    const left = now.filter(({ state }) => !isFinal(state)).length;
    terminal.progress(left > 0 ? `${left} still running` : '');
    if (left === 0 || performance.now() > deadline) return now;
    if (performance.now() - rescuedAt > RESCUE_EVERY_MS) {
      await rescueNow(queue); // its worker may be dead; then nobody else would end it
      rescuedAt = performance.now();
    }
    await sleep(LOOK_AGAIN_MS);
  }
}
