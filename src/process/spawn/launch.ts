// Starts a job's command, in a shell or directly, in its own session and with redirected output.

import { accessSync, constants, statSync } from 'node:fs';
import type { Command } from '../../job/job.ts';
import { type Exit, notRun } from './exit.ts';
import { nodeSpawn } from './node-spawn.ts';
import { makePosixSpawn } from './posix-spawn.ts';
import { STALE, type Start, type Starter } from './start.ts';

export interface Launch extends Omit<Start, 'program' | 'args' | 'text'> {
  readonly command: Command;
  readonly shell: string;
  /** True if a command of plain words may start without the shell. */
  readonly isDirect?: boolean;
}

export interface Launched {
  /** Resolves to null if the start failed. */
  readonly pid: Promise<number | null>;
  readonly exit: Promise<Exit>;
}

const DEFAULT_SHELL = '/bin/sh -c';

/** Returns the fastest starter of this machine, for many starts. */
export const makeStarter = (ownsProcess = false): Starter => makePosixSpawn(ownsProcess) ?? nodeSpawn;

/** Returns the program and its arguments; a string command becomes a shell call. */
export const argvOf = ({ command, shell }: Pick<Launch, 'command' | 'shell'>): readonly string[] =>
  typeof command === 'string' ? [...shell.split(/\s+/).filter(Boolean), command] : command;

export function launch({ command, shell, isDirect = false, ...rest }: Launch, start: Starter): Launched {
  const [program = '', ...args] = argvOf({ command, shell });
  const text = isDirect && typeof command === 'string' && shell === DEFAULT_SHELL ? command : undefined;
  const child = start({ program, args, text, ...rest });
  return {
    pid: child.pid.catch(() => null),
    exit: child.exit.catch((error) => notStarted(error, program, rest.cwd)),
  };
}

export const notLaunched = (exit: Exit): Launched => ({
  pid: Promise.resolve(null),
  exit: Promise.resolve(exit),
});

/** For a launch that needs preparation. If that fails, `failed` returns the exit. */
export const launchLater = (launched: Promise<Launched>, failed: (error: Error) => Exit): Launched => ({
  pid: launched.then(({ pid }) => pid).catch(() => null),
  exit: launched.then(({ exit }) => exit).catch(failed),
});

/** Out of processes, memory or files: the machine's fault, not the job's. */
const SHORTAGES = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

/** Uses exit codes 127 and 126 as a shell would. */
function notStarted(error: unknown, program: string, cwd: string | null): Exit {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === STALE) return requeued('the worker stalled between claiming and starting the job');
  if (SHORTAGES.has(code)) return { ...requeued(message), isShortage: true };
  const exitCode = code === 'ENOENT' ? 127 : 126;
  return { ...notRun('not_started', reason(code, message, program, cwd)), exitCode };
}

const requeued = (problem: string): Exit => notRun('released', `could not start: ${problem}`);

function reason(code: string | undefined, message: string, program: string, cwd: string | null): string {
  const trouble = cwd === null ? null : troubleWith(cwd);
  if (trouble !== null) return `could not start: the working directory '${cwd}' ${trouble}`;
  if (code === 'ENOENT') return `could not start: program '${program}' not found`;
  if (code === 'EACCES') return `could not start: permission denied for '${program}'`;
  if (code === 'E2BIG') return 'could not start: the command and its environment are too long for this system';
  return `could not start: ${message}`;
}

/** Returns why nothing can start in the directory, or null if the directory is usable. */
function troubleWith(folder: string): string | null {
  try {
    accessSync(folder, constants.X_OK);
    return statSync(folder).isDirectory() ? null : 'does not exist';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'is not accessible' : 'does not exist';
  }
}
