// Starts a command with stored standard input, which is first written to a file. If that fails, the job is requeued
// without a start.

import { closeSync } from 'node:fs';
import { inputFile } from '../../process/output/attempt-files.ts';
import { openInput } from '../../process/spawn/input-file.ts';
import { type Exit, notRun } from '../../process/spawn/exit.ts';
import { type Launch, type Launched, launchLater, notLaunched } from '../../process/spawn/launch.ts';

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
    void begun.pid.then(() => closeSync(input)); // the command has inherited it, or failed to start
    return begun;
  });
  return launchLater(launched, withoutInput);
}

/** The stored input was deleted manually. */
const NOT_STARTED = notLaunched(notRun('not_started', 'could not start: the standard input no longer exists'));

const withoutInput = ({ message }: Error): Exit => ({
  ...notRun('released', `could not start: cannot pass the standard input: ${message}`),
  isShortage: true,
});
