// queuectl schedule import: takes a crontab over, all lines that can be taken or none, and says what it left.

import { QueueError } from '../../errors/errors.ts';
import type { Intake } from '../../queue/queue.ts';
import { scheduleToJson, viewOf } from '../../report/schedule.ts';
import { type CrontabEntry, parseCrontab } from '../../schedule/crontab.ts';
import type { ScheduleInput } from '../../schedule/preview.ts';
import type { Command, Context, Result } from '../command.ts';
import { readCrontab } from '../schedules/crontab-source.ts';
import { many } from '../render/kit/human.ts';
import { scheduleTable } from '../render/schedule.ts';

export const command: Command = {
  name: 'schedule import',
  purpose: 'run',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'take over a crontab',
  usage: ['--crontab [FILE]'],
  options: {
    crontab: { kind: 'flag', means: 'from a crontab; without FILE the one that crontab -l prints' },
    user: {
      kind: 'text',
      value: 'NAME',
      means: 'the file has a column for the user: take the lines of this one',
    },
    tz: { kind: 'text', value: 'ZONE', means: 'time zone (default: CRON_TZ, or that of this machine)' },
    queue: { kind: 'text', short: 'q', value: 'NAME', means: 'named queue of the jobs (default: default)' },
    prefix: { kind: 'text', value: 'TEXT', means: 'before the name of each schedule' },
    'dry-run': { kind: 'flag', means: 'only show what would be taken over' },
  },
  examples: [
    ['queuectl schedule import --crontab --dry-run', 'what would become of your crontab'],
    ['queuectl schedule import --crontab && crontab -r', 'take it over'],
    ['queuectl schedule import --crontab /etc/crontab --user me', 'with a column for the user'],
  ],
  notes: [
    'Each line becomes a schedule named after its command, with the variables set above it, in your home folder, as with cron. What cannot be taken over is told, line by line: MAILTO, SHELL, @reboot, input behind %, lines of other users. The crontab itself stays as it is: empty it yourself, or everything runs twice.',
  ],
  completes: 'file',
  run,
};

async function run(context: Context): Promise<Result> {
  const { options } = context;
  const crontab = parseCrontab(await readCrontab(context), { user: options.text('user') });
  const queue = await context.queue();
  const { template, environment } = await queue.intake();
  const inputs = crontab.entries.map((entry) => inputOf(context, entry, template));
  const schedules = await queue.schedules();
  const isDry = options.has('dry-run');
  const taking = isDry ? schedules.preview(inputs) : schedules.add(inputs, environment);
  const taken = await taking.catch(withPrefixHint);
  const views = await Promise.all(taken.map((schedule) => viewOf(schedule, queue.now(), 1)));
  for (const { line, text, reason } of crontab.notTaken) {
    context.terminal.remark(`not taken: line ${line}: ${text}`);
    context.terminal.remark(`           ${reason}`);
  }
  const head = `${many(taken.length, 'schedule')} ${isDry ? 'would be added' : 'added'}`;
  return {
    data: { schedules: views.map((view) => scheduleToJson(view)), not_taken: crontab.notTaken },
    text: [head, ...(views.length === 0 ? [] : [scheduleTable(views, queue.now(), context.terminal)])].join(
      '\n',
    ),
  };
}

/** The names come from the commands, so that nobody can choose another. */
function withPrefixHint(error: unknown): never {
  if (!(error instanceof QueueError) || error.code !== 'schedule_exists') throw error;
  const message = `${error.message}; nothing was added`;
  const hint = 'it may have been taken over before; to add all under other names: --prefix cron-';
  throw QueueError.told(error.code, message, hint, error.details);
}

/** In the home folder, where cron starts its jobs. */
function inputOf(
  { options, environment }: Context,
  entry: CrontabEntry,
  template: Intake['template'],
): ScheduleInput {
  const { name, cron, zone, command, env } = entry;
  const [queue, cwd] = [options.text('queue'), env.HOME ?? environment.HOME];
  return {
    name: `${options.text('prefix') ?? ''}${name}`,
    cron,
    zone: options.text('tz') ?? zone ?? undefined,
    job: template({ command, env, queue, cwd }),
  };
}
