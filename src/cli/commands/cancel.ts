// queuectl cancel: cancels waiting jobs at once. The worker stops a running job, and the command waits for that.

import { isFinal, type Job } from '../../job/job.ts';
import { isRunning } from '../../job/state-sets.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import { CHANGE_OPTIONS, changeJobs, dependentsProgress } from '../jobs/change-jobs.ts';
import type { Command, Context, OptionSpecs } from '../command.ts';
import { untilStopped } from '../jobs/until-stopped.ts';
import { FILTER_NOTE } from '../options/filtering.ts';

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
  run: async (context) => {
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
        untilEnded: async (ids) => (waits ? stillRunning(await untilFinal(context, queue, ids)) : ids.length),
      },
      async (_, ids) => {
        const jobs = await queue.cancel(ids, dependentsProgress(context));
        const stopped = jobs.map(({ id }) => id);
        return waits ? untilFinal(context, queue, stopped) : jobs;
      },
      (job) => (isRunning(job.state) ? 'stopping' : job.state),
    );
  },
};

const stillRunning = (jobs: readonly Job[]): number => jobs.filter(({ state }) => isRunning(state)).length;

const untilFinal = (context: Context, queue: AnyQueue, ids: readonly string[]): Promise<Job[]> =>
  untilStopped(
    context,
    queue,
    () => queue.getAll(ids),
    (jobs) => jobs.filter(({ state }) => !isFinal(state)).length,
  );
