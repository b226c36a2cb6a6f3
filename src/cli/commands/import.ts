// queuectl import: brings back what queuectl export has written, into an empty queue or beside what is there.

import { createReadStream, createWriteStream, fstatSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { QueueError } from '../../errors/errors.ts';
import type { Queue } from '../../queue/queue.ts';
import { type Imported, type ImportOptions, type ImportProgress, importFile } from '../../transfer/import.ts';
import { LineFile } from '../../transfer/line-file.ts';
import { type RemoteTransfers, remoteTransfers } from '../../transfer/remote.ts';
import type { Command, Context, Result } from '../command.ts';
import { many } from '../render/kit/human.ts';
import { theseArguments } from '../required.ts';

export const command: Command = {
  name: 'import',
  purpose: 'set up',
  createsQueue: true,
  summary: 'import jobs and settings from an export file',
  usage: ['FILE | - [--skip-existing] [--jobs-only]'],
  options: {
    'skip-existing': { kind: 'flag', help: 'skip jobs whose ID already exists' },
    'jobs-only': { kind: 'flag', help: 'skip settings, limits and schedules' },
  },
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
  run,
};

async function run(context: Context): Promise<Result> {
  const isRedirected = context.args.length === 0 && fstatSync(0).isFile();
  const [given = ''] = isRedirected ? ['-'] : theseArguments(context, ['file'], 'import');
  const { options, terminal } = context;
  const wanted = { skipExisting: options.has('skip-existing'), jobsOnly: options.has('jobs-only') };
  const queue = await context.queue();
  const elsewhere = remoteTransfers(queue);
  const progress: ImportProgress = (doing, share) =>
    terminal.progress(`${Math.floor(share * 100)} % ${doing}`);
  try {
    const imported = elsewhere
      ? await importThere(elsewhere, given, wanted, progress)
      : await importHere(queue, given, wanted, progress);
    return { data: imported, text: `${inWords(imported)} imported` };
  } finally {
    terminal.progress('');
  }
}

async function importHere(
  queue: Queue,
  given: string,
  wanted: ImportOptions,
  progress: ImportProgress,
): Promise<Imported> {
  const spool = given === '-' ? await spooled() : null;
  try {
    const file = new LineFile(spool?.path ?? readable(given));
    return await importFile(queue, file, shownAs(given), wanted, progress);
  } finally {
    spool?.remove();
  }
}

/** What comes by a pipe goes on as it comes: it is read twice there, not here. */
async function importThere(
  there: RemoteTransfers,
  given: string,
  wanted: ImportOptions,
  progress: ImportProgress,
): Promise<Imported> {
  const path = given === '-' ? null : readable(given);
  const bytes = path === null ? process.stdin : createReadStream(path);
  try {
    return await there.import(bytes, path === null ? null : statSync(path).size, wanted, progress);
  } catch (error) {
    if (!(error instanceof QueueError) || error.code !== 'invalid_export') throw error;
    throw new QueueError('invalid_export', { ...error.details, path: shownAs(given) }, { cause: error });
  }
}

const shownAs = (given: string): string => (given === '-' ? 'stdin' : given);

function readable(path: string): string {
  try {
    if (statSync(path).isDirectory()) throw new Error('it is a directory');
    return path;
  } catch (error) {
    const hint = 'pass the path of a file, or - for stdin';
    throw new QueueError(
      'unreadable_input',
      { path, problem: (error as Error).message, hint },
      { cause: error },
    );
  }
}

/** What comes by a pipe is read twice: once to check it, once to store it. */
async function spooled(): Promise<{ path: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'queuectl-import-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const path = join(folder, 'lines');
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
    return { path, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function inWords({ jobs, attempts, settings, schedules, skipped }: Imported): string {
  const parts = [
    many(jobs, 'job'),
    ...(attempts > 0 ? [many(attempts, 'attempt')] : []),
    ...(settings > 0 ? [many(settings, 'setting')] : []),
    ...(schedules > 0 ? [many(schedules, 'schedule')] : []),
  ];
  const left = skipped === 0 ? '' : `; ${many(skipped, 'job')} skipped because the ID exists`;
  return `${parts.join(', ')}${left}`;
}
