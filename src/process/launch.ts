// Starting a job's command: in the shell or as it is, leading its own session, output straight to the log file.

import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Command, Ending } from '../job/job.ts';

export interface Launch {
  readonly command: Command;
  readonly shell: string;
  readonly cwd: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly output: number;
}

/** How the command itself came to its end. */
export type Exit = Pick<Ending, 'outcome' | 'exitCode' | 'signal' | 'error'>;

export interface Launched {
  /** null: it could not be started. */
  readonly pid: number | null;
  readonly exit: Promise<Exit>;
}

export function launch(request: Launch): Launched {
  const [program = '', ...args] =
    typeof request.command === 'string'
      ? [...request.shell.split(/\s+/).filter(Boolean), request.command]
      : request.command;
  try {
    const child = spawn(program, args, {
      cwd: request.cwd ?? undefined,
      env: request.env,
      detached: true,
      stdio: ['ignore', request.output, request.output],
    });
    return { pid: child.pid ?? null, exit: exitOf(child, program, request.cwd) };
  } catch (error) {
    return { pid: null, exit: Promise.resolve(notStarted(error, program, request.cwd)) };
  }
}

function exitOf(child: ChildProcess, program: string, cwd: string | null): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(notStarted(error, program, cwd)));
    child.once('exit', (code, signal) => resolve(exited(code, signal)));
  });
}

function exited(code: number | null, signal: NodeJS.Signals | null): Exit {
  if (signal !== null) return { outcome: 'signalled', exitCode: null, signal, error: `killed by ${signal}` };
  if (code === 0) return { outcome: 'completed', exitCode: 0, signal: null, error: null };
  return { outcome: 'failed', exitCode: code, signal: null, error: `exit code ${code}` };
}

/** Out of processes, memory or files: the machine's trouble, not the job's. */
const SHORTAGES = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

/** 127 and 126 are what a shell would answer. */
function notStarted(error: unknown, program: string, cwd: string | null): Exit {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (SHORTAGES.has(code))
    return { outcome: 'released', exitCode: null, signal: null, error: `could not start: ${message}` };
  const exitCode = code === 'ENOENT' ? 127 : 126;
  return { outcome: 'not_started', exitCode, signal: null, error: reason(code, message, program, cwd) };
}

function reason(code: string | undefined, message: string, program: string, cwd: string | null): string {
  if (cwd !== null && !statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    return `could not start: the working directory '${cwd}' is gone`;
  }
  if (code === 'ENOENT') return `could not start: there is no program '${program}'`;
  if (code === 'EACCES') return `could not start: '${program}' may not be run`;
  if (code === 'E2BIG') return 'could not start: command and environment are too long for this system';
  return `could not start: ${message}`;
}
