// Reads the status that bubblewrap writes to a file shared only with the worker: whether the command started at all,
// which the exit code does not reveal.

import { closeSync, mkdirSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { newOwnFile } from '../../system/own-file.ts';
import { readAt } from '../../system/files.ts';
import { type Exit, notRun } from '../../process/spawn/exit.ts';

export interface Status {
  readonly fd: number;
  /** Call once, after the exit. */
  judge(exit: Exit, program: string): Exit;
}

const MOST_BYTES = 4096;

export function openStatus(logPath: string): Status {
  const path = `${logPath}~sandbox`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = newOwnFile(path, 'wx+');
  rmSync(path, { force: true }); // unlinked: only the descriptor is needed
  const judge = (exit: Exit, program: string): Exit => {
    try {
      return judged(exit, readAt(fd, 0, MOST_BYTES).toString(), program);
    } finally {
      closeSync(fd);
    }
  };
  return { fd, judge };
}

function judged(exit: Exit, said: string, program: string): Exit {
  if (exit.outcome !== 'failed' || exit.exitCode === null) return exit;
  if (!/"exit-code"/.test(said)) return notStarted(program);
  const signal = signalOf(exit.exitCode);
  return signal === null ? exit : { ...exit, error: `${exit.error} (${signal})` };
}

/** Bubblewrap reported the problem in the last line of output. */
const notStarted = (program: string): Exit => ({
  ...notRun('not_started', `could not start '${program}' in the sandbox`),
  isExplained: true,
});

/** Like a shell, bubblewrap exits with 128 plus the number of the signal that killed the command. */
function signalOf(exitCode: number): string | null {
  const found = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128);
  return found?.[0] ?? null;
}
