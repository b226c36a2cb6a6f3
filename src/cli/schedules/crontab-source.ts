// Reads a crontab from a file, stdin, or crontab -l.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { QueueError, usageError } from '../../errors/errors.ts';
import type { Context, OptionSpecs } from '../command.ts';

export const CRONTAB_OPTIONS = {
  crontab: { kind: 'flag', help: 'import a crontab; without FILE, the output of crontab -l' },
  user: {
    kind: 'text',
    value: 'NAME',
    help: 'import only the lines of this user, from a file with a user column',
  },
} satisfies OptionSpecs;

/** System crontabs. */
const HAS_USER_COLUMN = /^\/etc\/(crontab$|cron\.d\/)/;

export async function readCrontab(context: Context<typeof CRONTAB_OPTIONS>): Promise<string> {
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
