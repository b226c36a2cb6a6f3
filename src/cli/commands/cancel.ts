// queuectl cancel: cancels waiting jobs at once. The worker stops a running job, and the command waits for that.

import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal, type Job } from '../../job/job.ts';
import { isRunning } from '../../job/state-sets.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import { rescueNow } from '../../worker/start-worker.ts';
import { CHANGE_OPTIONS, changeJobs, dependentsProgress } from '../jobs/change-jobs.ts';
import type { Command, Context, OptionSpecs, Result } from '../command.ts';
import { FILTER_NOTE } from '../options/filtering.ts';

const LOOK_AGAIN_MS = 50;
const RESCUE_EVERY_MS = 1000;
/** Time that a worker may need in addition to the grace period of the job. */
const MARGIN_MS = 10_000;

const OPTIONS = {
  ...CHANGE_OPTIONS,
  'no-wait': { kind: 'flag', help: 'return without waiting for running jobs to stop' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'cancel',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'cancel jobs; running jobs get TERM, then KILL',
  usage: ['ID...', '--filter FILTER | --state STATE | --queue NAME ... [--yes]'],
  options: OPTIONS,
  examples: [
    ['queuectl cancel k3f9', 'cancel one job, and stop it if it is running'],
    ["queuectl cancel --filter 'state:pending queue:mail'", 'cancel all matching jobs after confirmation'],
    ['queuectl config set kill_grace 30s', 'allow 30 seconds between TERM and KILL'],
  ],
  notes: [FILTER_NOTE],
  completes: 'job',
  run,
};

async function run(context: Context<typeof OPTIONS>): Promise<Result> {
  const queue = await context.queue();
  const waits = !context.options.has('no-wait');
  return changeJobs(
    context,
    {
      name: 'cancel',
      change: { kind: 'cancel' },
      action: (jobs) => `cancel ${jobs}`,
      done: 'cancelled',
      isDestructive: true,
      untilEnded: async (ids) => (waits ? stillRunning(await untilFinal(queue, ids, context)) : ids.length),
    },
    async (_, ids) => {
      const jobs = await queue.cancel(ids, dependentsProgress(context));
      return waits
        ? untilFinal(
            queue,
            jobs.map(({ id }) => id),
            context,
          )
        : jobs;
    },
    (job) => (isRunning(job.state) ? 'stopping' : job.state),
  );
}

const stillRunning = (jobs: readonly Job[]): number => jobs.filter(({ state }) => isRunning(state)).length;

async function untilFinal(queue: AnyQueue, ids: readonly string[], { terminal }: Context): Promise<Job[]> {
  const deadline = performance.now() + (await queue.settings()).ms('kill_grace') + MARGIN_MS;
  let rescuedAt = performance.now();
  for (;;) {
    const now = await queue.getAll(ids);
    const left = now.filter(({ state }) => !isFinal(state)).length;
    terminal.progress(left > 0 ? `${left} still running` : '');
    if (left === 0 || performance.now() > deadline) return now;
    if (queue.local && performance.now() - rescuedAt > RESCUE_EVERY_MS) {
      await rescueNow(queue.local); // the worker of the job may be dead
      rescuedAt = performance.now();
    }
    await sleep(LOOK_AGAIN_MS);
  }
}
