// queuectl import: brings back what queuectl export has written, into an empty queue or beside what is there.

import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { QueueError } from '../../errors.ts';
import { type Imported, importFile } from '../../transfer/import.ts';
import type { Command, Context, Result } from '../command.ts';
import { many } from '../render/human.ts';
import { theseArguments } from '../required.ts';

export const command: Command = {
  name: 'import',
  purpose: 'set up',
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
  const [given = ''] = theseArguments(context, ['file'], 'import');
  const spool = given === '-' ? await spooled() : null;
  try {
    const path = spool?.path ?? readable(given);
    const imported = await imports(context, path, given === '-' ? 'stdin' : given);
    return { data: imported, text: `imported ${inWords(imported)}` };
  } finally {
    spool?.remove();
  }
}

async function imports(context: Context, path: string, shownAs: string): Promise<Imported> {
  const { options, terminal } = context;
  const wanted = { skipExisting: options.has('skip-existing'), jobsOnly: options.has('jobs-only') };
  try {
    return await importFile(await context.queue(), path, shownAs, wanted, (doing, share) =>
      terminal.progress(`${Math.floor(share * 100)} % ${doing}`),
    );
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

function inWords({ jobs, attempts, settings, skipped }: Imported): string {
  const parts = [
    many(jobs, 'job'),
    ...(attempts > 0 ? [many(attempts, 'attempt')] : []),
    ...(settings > 0 ? [many(settings, 'setting')] : []),
  ];
  const left = skipped === 0 ? '' : `; ${many(skipped, 'job')} left out, as the ids are taken`;
  return `${parts.join(', ')}${left}`;
}
