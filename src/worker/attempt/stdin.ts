// Starting a command that has a standard input of its own: it is fetched first and stands in a file when the command
// starts. If it cannot be fetched or written, the job is not started but put back.

import { closeSync } from 'node:fs';
import { inputFile } from '../../process/output/attempt-files.ts';
import { openInput } from '../../process/spawn/input-file.ts';
import type { Exit } from '../../process/spawn/exit.ts';
import type { Launch, Launched } from '../../process/spawn/launch.ts';

export function launchWithInput(
  start: Launch,
  begin: (start: Launch) => Launched,
  logPath: string,
  data: Promise<Uint8Array | null>,
): Launched {
  const launched = data.then((bytes) => {
    if (bytes === null) return NOT_STARTED;
    const input = openInput(inputFile(logPath), bytes);
    const begun = begin({ ...start, input });
    void begun.pid.then(() => closeSync(input)); // the command has it now, or never will
    return begun;
  });
  return {
    pid: launched.then(({ pid }) => pid).catch(() => null),
    exit: launched.then(({ exit }) => exit).catch(withoutInput),
  };
}

/** Somebody has removed it by hand. */
const NOT_STARTED: Launched = {
  pid: Promise.resolve(null),
  exit: Promise.resolve({
    outcome: 'not_started',
    exitCode: null,
    signal: null,
    error: 'could not start: the standard input no longer exists',
  }),
};

const withoutInput = (error: Error): Exit => ({
  outcome: 'released',
  exitCode: null,
  signal: null,
  error: `could not start: cannot pass the standard input: ${error.message}`,
  isShortage: true,
});
