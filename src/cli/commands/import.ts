// queuectl import: brings back what queuectl export has written, into an empty queue or beside what is there.

import { fstatSync, statSync } from 'node:fs';
import { QueueError } from '../../errors/errors.ts';
import type { Imported, ImportProgress } from '../../transfer/import.ts';
import type { Command, Context, Result } from '../command.ts';
import { many } from '../render/kit/human.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'import',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'bring back what export has written',
  usage: ['FILE | - [--skip-existing] [--jobs-only]'],
  options: {
    'skip-existing': { kind: 'flag', means: 'leave out jobs whose id is taken' },
    'jobs-only': { kind: 'flag', means: 'no settings, limits and schedules' },
  },
  examples: [
    ['queuectl --db new.db import backup.ndjson', 'into an empty queue: restores a backup'],
    ['queuectl import --skip-existing dead.ndjson', 'beside what is there'],
  ],
  notes: [
    'The whole file is checked before anything is stored; a bad line is named. Nothing that is there is changed: settings, ' +
      'groups, limits and schedules of the same name stay as they are.',
    'If it is interrupted, run it again with --skip-existing to go on. Workers may keep running, and start jobs that are due.',
  ],
  completes: 'file',
  run,
};

async function run(context: Context): Promise<Result> {
  const isRedirected = context.args.length === 0 && fstatSync(0).isFile();
  const [given = ''] = isRedirected ? ['-'] : exactArguments(context, ['file'], 'import');
  const { options, terminal } = context;
  const wanted = { skipExisting: options.has('skip-existing'), jobsOnly: options.has('jobs-only') };
  const queue = await context.queue();
  const progress: ImportProgress = (doing, share) =>
    terminal.progress(`${Math.floor(share * 100)} % ${doing}`);
  try {
    const path = given === '-' ? null : readable(given);
    const imported = await (await queue.transfers()).import(path, wanted, progress);
    return { data: imported, text: `imported ${inWords(imported)}` };
  } finally {
    terminal.progress('');
  }
}

function readable(path: string): string {
  try {
    if (statSync(path).isDirectory()) throw new Error('it is a folder');
    return path;
  } catch (error) {
    const hint = 'give the path of a file, or - for stdin';
    throw new QueueError(
      'unreadable_input',
      { path, problem: (error as Error).message, hint },
      { cause: error },
    );
  }
}

function inWords({ jobs, attempts, settings, schedules, skipped }: Imported): string {
  const parts = [
    many(jobs, 'job'),
    ...(attempts > 0 ? [many(attempts, 'attempt')] : []),
    ...(settings > 0 ? [many(settings, 'setting')] : []),
    ...(schedules > 0 ? [many(schedules, 'schedule')] : []),
  ];
  const left = skipped === 0 ? '' : `; ${many(skipped, 'job')} left out, as the ids are taken`;
  return `${parts.join(', ')}${left}`;
}
