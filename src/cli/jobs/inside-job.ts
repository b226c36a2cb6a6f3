// A command that is run by a job tells its worker something through a file that the worker has named. It needs no way to the
// store, which may be on a server that only the worker can reach.

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { QueueError } from '../../errors/errors.ts';
import type { Context } from '../command.ts';

export type InsideVariable = 'QUEUECTL_PROGRESS' | 'QUEUECTL_RESULT';

/** Throws not_in_a_job where no worker listens. */
export function tellWorker(
  { environment }: Context,
  variable: InsideVariable,
  text: string,
  outside: { readonly command: string; readonly hint: string },
): void {
  const path = environment[variable];
  if (!path || !environment.QUEUECTL_JOB_ID) throw new QueueError('not_in_a_job', outside);
  try {
    replaceFile(path, text);
  } catch (error) {
    throw new QueueError(
      'worker_not_told',
      { problem: (error as Error).message, variable },
      { cause: error },
    );
  }
}

/** Whole or not at all: a reader finds the old text meanwhile. */
function replaceFile(path: string, text: string): void {
  const fresh = `${path}.${process.pid}`;
  try {
    writeFileSync(fresh, text, { mode: 0o600 });
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
