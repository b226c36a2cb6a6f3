import { usageError } from '../../errors/errors.ts';
import { shellQuote } from '../../text/shell.ts';
import type { Command, Context } from '../command.ts';
import { inheritsByFlags } from '../options/job-options.ts';
import { suggestWorker } from '../enqueue/suggest-worker.ts';
import { JOB_NOTE, SCHEDULE_OPTIONS, specInputOf, templateFor } from '../options/schedule-options.ts';
import { scheduleAnswer, scheduleName } from '../schedules/schedule-answer.ts';

export const command: Command<typeof SCHEDULE_OPTIONS> = {
  name: 'schedule add',
  purpose: 'run',
  recorded: { about: 'first argument' },
  createsQueue: true,
  summary: 'add a schedule that enqueues a job repeatedly',
  usage: [
    "NAME --cron EXPR [--tz ZONE] 'COMMAND'",
    'NAME --every DURATION -- PROGRAM ARG...',
    'NAME --at TIME \'{"command":"...", ...}\'',
  ],
  options: SCHEDULE_OPTIONS,
  examples: [
    ["queuectl schedule add backup --cron '30 2 * * *' ./backup.sh", 'run a backup every night'],
    ["queuectl schedule add tea --cron '0 17 * * MON#1' --tz Asia/Tokyo -- brew", 'use a time zone'],
    [
      "queuectl schedule add sync --every 90s --overlap skip './sync.sh a b'",
      'run every 90 seconds, but never twice at once',
    ],
    ["queuectl schedule add party --at '2026-12-24 18:00' ./lights.sh", 'run once at this time'],
  ],
  notes: [
    'schedule add prints the next five run times. A worker must be running at those times; --catch-up controls what happens to missed runs.',
    JOB_NOTE,
  ],
  run: async (context) => {
    const name = scheduleName(context, 'schedule add');
    rejectLoneArgument(context, name);
    const queue = await context.queue();
    const job = await templateFor(context, 'schedule add');
    const schedules = await queue.schedules();
    const { environment } = await queue.intake({}, inheritsByFlags(context));
    const [added] = await schedules.add([{ ...specInputOf(context), name, job }], environment);
    if (added === undefined) return {};
    await suggestWorker(context, queue, [{ queue: job.queue ?? 'default' }]);
    return scheduleAnswer(added, 'added', queue.now(), context.terminal);
  },
};

/** A single argument may be the name or the command. The other one is missing. */
function rejectLoneArgument({ args, exact, options }: Context<typeof SCHEDULE_OPTIONS>, only: string): void {
  if (args.length > 1 || exact !== null || options.has('command') || options.has('recipe')) return;
  throw usageError(
    `missing schedule name or command: only '${only}' was given`,
    `queuectl schedule add NAME --cron '30 2 * * *' ${/^[\w-]+$/.test(only) ? "'COMMAND'" : shellQuote(only)}`,
  );
}
