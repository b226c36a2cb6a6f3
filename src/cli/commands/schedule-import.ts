import { QueueError, usageError } from '../../errors/errors.ts';
import type { Intake } from '../../queue/queue.ts';
import { scheduleToJson, viewOf } from '../../report/schedule.ts';
import { type CrontabEntry, parseCrontab } from '../../schedule/crontab.ts';
import type { ScheduleInput } from '../../schedule/preview.ts';
import type { Command, Context, OptionSpecs } from '../command.ts';
import { many } from '../render/kit/human.ts';
import { scheduleTable } from '../render/schedule.ts';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const CRONTAB_OPTIONS = {
  crontab: { kind: 'flag', help: 'import a crontab; without FILE, the output of crontab -l' },
  user: {
    kind: 'text',
    value: 'NAME',
    help: 'import only the lines of this user, from a file with a user column',
  },
} satisfies OptionSpecs;

/** System crontabs. */
const HAS_USER_COLUMN = /^\/etc\/(crontab$|cron\.d\/)/;

async function readCrontab(context: Context<typeof CRONTAB_OPTIONS>): Promise<string> {
  const { args, options } = context;
  if (!options.has('crontab')) {
    throw usageError('missing source to import', 'queuectl schedule import --crontab [FILE]');
  }
  if (args.length > 1) {
    throw usageError(`unexpected argument '${args[1]}'`, 'queuectl schedule import --crontab [FILE]');
  }
  const [path] = args;
  if (path !== undefined && HAS_USER_COLUMN.test(resolve(context.cwd ?? '/', path)) && !options.has('user')) {
    throw usageError(
      `'${path}' has a user column, but jobs run as their worker's user`,
      `choose whose lines to import: queuectl schedule import --crontab ${path} --user NAME`,
    );
  }
  return path === undefined ? ownCrontab(context) : readFrom(path);
}

function readFrom(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    const problem = (error as Error).message;
    throw new QueueError('unreadable_input', { path, problem, hint: 'check the path of the crontab' });
  }
}

/** If the user has no crontab, crontab -l fails with a message on stderr. */
async function ownCrontab({ environment }: Context): Promise<string> {
  const { spawnSync } = await import('node:child_process');
  const { status, stdout, stderr, error } = spawnSync('crontab', ['-l'], {
    encoding: 'utf8',
    env: environment,
  });
  if (status === 0) return stdout;
  const problem = error ? 'cannot start the program crontab' : stderr.trim() || `crontab exited with code ${status}`;
  const hint = 'import a file: queuectl schedule import --crontab FILE';
  throw new QueueError('unreadable_input', { path: 'crontab -l', problem, hint });
}

const OPTIONS = {
  ...CRONTAB_OPTIONS,
  tz: { kind: 'text', value: 'ZONE', help: 'time zone (default: CRON_TZ, or the time zone of this host)' },
  queue: { kind: 'text', short: 'q', value: 'NAME', help: 'named queue for the jobs (default: default)' },
  prefix: { kind: 'text', value: 'TEXT', help: 'prefix for the name of each schedule' },
  'dry-run': { kind: 'flag', help: 'show what would be imported, without importing it' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'schedule import',
  purpose: 'run',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'import schedules from a crontab',
  usage: ['--crontab [FILE]'],
  options: OPTIONS,
  examples: [
    ['queuectl schedule import --crontab --dry-run', 'show which schedules an import of your crontab would add'],
    ['queuectl schedule import --crontab && crontab -r', 'import your crontab, then delete it'],
    ['queuectl schedule import --crontab /etc/crontab --user me', 'import the lines of one user from a system crontab'],
  ],
  notes: [
    'Each line becomes a schedule named after its command. The job runs in your home directory with the variables set above the line, as in cron. The command lists every line it cannot import: MAILTO, SHELL, @reboot, input after %, and lines of other users. The crontab is not changed: remove it yourself, or every command runs twice.',
  ],
  completes: 'file',
  run: async (context) => {
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
      context.terminal.remark(`not imported: line ${line}: ${text}`);
      context.terminal.remark(`           ${reason}`);
    }
    const head = `${many(taken.length, 'schedule')} ${isDry ? 'would be added' : 'added'}`;
    return {
      data: { schedules: views.map((view) => scheduleToJson(view)), not_taken: crontab.notTaken },
      text: [head, ...(views.length === 0 ? [] : [scheduleTable(views, queue.now(), context.terminal)])].join('\n'),
    };
  },
};

/** The names come from the commands, so the user cannot choose others. */
function withPrefixHint(error: unknown): never {
  if (!(error instanceof QueueError) || error.code !== 'schedule_exists') throw error;
  const message = `${error.message}; nothing was added`;
  const hint = 'if the crontab was already imported, add it under other names: --prefix cron-';
  throw QueueError.told(error.code, message, hint, error.details);
}

/** Jobs run in the home directory, as in cron. */
function inputOf(
  { options, environment }: Context<typeof OPTIONS>,
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
