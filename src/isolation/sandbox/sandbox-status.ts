// How a command in a sandbox ended, by what bubblewrap writes to a file that only it and the worker have: whether the command
// was started at all, which its exit code alone would not tell.

import { closeSync, mkdirSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { newOwnFile } from '../../system/own-file.ts';
import { readAt } from '../../system/files.ts';
import type { Exit } from '../../process/spawn/exit.ts';

export interface Status {
  readonly fd: number;
  /** Once, when it has ended. */
  judge(exit: Exit, program: string): Exit;
}

const MOST_BYTES = 4096;

export function openStatus(logPath: string): Status {
  const path = `${logPath}~sandbox`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = newOwnFile(path, 'wx+');
  rmSync(path, { force: true }); // it needs no name
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

/** Bubblewrap itself has told what went wrong, in the last line of the output. */
const notStarted = (program: string): Exit => ({
  outcome: 'not_started',
  exitCode: null,
  signal: null,
  error: `could not start '${program}' in the sandbox`,
  isExplained: true,
});

/** Bubblewrap answers 128 and the number of the signal for a command that was killed by one, as a shell does. */
function signalOf(exitCode: number): string | null {
  const found = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128);
  return found?.[0] ?? null;
}
