// Commands inside a job report to their worker through a file that the worker has named. They need no access to the
// database, which may be on a server that only the worker can reach.

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { QueueError } from '../../errors/errors.ts';
import type { Context } from '../command.ts';

export type InsideVariable = 'QUEUECTL_PROGRESS' | 'QUEUECTL_RESULT';

/** Throws not_in_a_job outside a job. */
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
    throw new QueueError('worker_not_told', { problem: (error as Error).message, variable }, { cause: error });
  }
}

/** Atomic: readers see either the old or the new text. */
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
