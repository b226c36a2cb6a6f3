import { fstatSync, statSync } from 'node:fs';
import { QueueError } from '../../errors/errors.ts';
import type { Imported, ImportProgress } from '../../transfer/import.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { many, manyOf } from '../render/kit/human.ts';
import { exactArguments } from '../required.ts';

const OPTIONS = {
  'skip-existing': { kind: 'flag', help: 'skip jobs whose ID already exists' },
  'jobs-only': { kind: 'flag', help: 'skip settings, limits and schedules' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'import',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'import jobs and settings from an export file',
  usage: ['FILE | - [--skip-existing] [--jobs-only]'],
  options: OPTIONS,
  examples: [
    ['queuectl --db new.db import backup.ndjson', 'restore a backup into an empty queue'],
    ['queuectl import --skip-existing dead.ndjson', 'add jobs to a queue that already has jobs'],
  ],
  notes: [
    'import checks the whole file before it stores anything and reports the first bad line. It changes no existing data: settings, ' +
      'groups, limits and schedules of the same name are kept.',
    'If the import is interrupted, resume it with --skip-existing. Workers may keep running and start jobs that are due.',
  ],
  completes: 'file',
  run: async (context) => {
    const isRedirected = context.args.length === 0 && fstatSync(0).isFile();
    const [given = ''] = isRedirected ? ['-'] : exactArguments(context, ['file'], 'import');
    const { options, terminal } = context;
    const wanted = { skipExisting: options.has('skip-existing'), jobsOnly: options.has('jobs-only') };
    const queue = await context.queue();
    const progress: ImportProgress = (doing, share) => terminal.progress(`${Math.floor(share * 100)} % ${doing}`);
    try {
      const path = given === '-' ? null : readable(given);
      const imported = await (await queue.transfers()).import(path, wanted, progress);
      return { data: imported, text: inWords(imported) };
    } finally {
      terminal.progress('');
    }
  },
};

function readable(path: string): string {
  try {
    if (statSync(path).isDirectory()) throw new Error('it is a directory');
    return path;
  } catch (error) {
    const hint = 'pass the path of a file, or - for stdin';
    throw new QueueError('unreadable_input', { path, problem: (error as Error).message, hint }, { cause: error });
  }
}

function inWords({ jobs, attempts, settings, schedules, skipped }: Imported): string {
  const parts = [many(jobs, 'job'), ...manyOf({ attempt: attempts, setting: settings, schedule: schedules })];
  const left = skipped === 0 ? '' : `; ${many(skipped, 'job')} skipped because the ID exists`;
  return `${parts.join(', ')} imported${left}`;
}
