// Starting a job's command: in the shell or as it is, leading its own session, with its output going where it is told.

import { accessSync, constants, statSync } from 'node:fs';
import type { Command } from '../../job/job.ts';
import type { Exit } from './exit.ts';
import { nodeSpawn } from './node-spawn.ts';
import { makePosixSpawn } from './posix-spawn.ts';
import { STALE, type Start, type Starter } from './start.ts';

export interface Launch {
  readonly command: Command;
  readonly shell: string;
  readonly cwd: string | null;
  readonly inherited: Start['inherited'];
  readonly own: Start['own'];
  readonly input?: Start['input'];
  readonly status?: Start['status'];
  readonly outputs: Start['outputs'];
  /** Rather not at all than after this time, by hostClockMs(). */
  readonly notAfterMs: number;
}

export interface Launched {
  /** null: it could not be started. */
  readonly pid: Promise<number | null>;
  readonly exit: Promise<Exit>;
}

/** The fastest way there is on this machine, for starting many. */
export const makeStarter = (ownsProcess = false): Starter => makePosixSpawn(ownsProcess) ?? nodeSpawn;

/** The program and its arguments; a text is handed to the shell. */
export const argvOf = ({ command, shell }: Pick<Launch, 'command' | 'shell'>): readonly string[] =>
  typeof command === 'string' ? [...shell.split(/\s+/).filter(Boolean), command] : command;

export function launch({ command, shell, ...rest }: Launch, start: Starter): Launched {
  const [program = '', ...args] = argvOf({ command, shell });
  const child = start({ program, args, ...rest });
  return {
    pid: child.pid.catch(() => null),
    exit: child.exit.catch((error) => notStarted(error, program, rest.cwd)),
  };
}

/** Out of processes, memory or files: the machine's trouble, not the job's. */
const SHORTAGES = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

/** 127 and 126 are what a shell would answer. */
function notStarted(error: unknown, program: string, cwd: string | null): Exit {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === STALE) return putBack('the worker stalled between claiming and starting the job');
  if (SHORTAGES.has(code)) return { ...putBack(message), isShortage: true };
  const exitCode = code === 'ENOENT' ? 127 : 126;
  return { outcome: 'not_started', exitCode, signal: null, error: reason(code, message, program, cwd) };
}

const putBack = (problem: string): Exit => ({
  outcome: 'released',
  exitCode: null,
  signal: null,
  error: `could not start: ${problem}`,
});

function reason(code: string | undefined, message: string, program: string, cwd: string | null): string {
  const trouble = cwd === null ? null : troubleWith(cwd);
  if (trouble !== null) return `could not start: the working directory '${cwd}' ${trouble}`;
  if (code === 'ENOENT') return `could not start: program '${program}' not found`;
  if (code === 'EACCES') return `could not start: permission denied for '${program}'`;
  if (code === 'E2BIG')
    return 'could not start: the command and its environment are too long for this system';
  return `could not start: ${message}`;
}

/** Why nothing can be started in a folder; null: that is not why. */
function troubleWith(folder: string): string | null {
  try {
    accessSync(folder, constants.X_OK);
    return statSync(folder).isDirectory() ? null : 'does not exist';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'is not accessible' : 'does not exist';
  }
}
