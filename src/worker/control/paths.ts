// Where the worker's side of a queue keeps its files.

import { join } from 'node:path';
import type { Place } from '../../store/location.ts';

/**
 * `unique` is in no other name: an id may be used again in a queue that was deleted and made again, and where file names
 * ignore case, `Job` and `job` are one.
 */
const attemptLogPath = (place: Place, jobId: string, run: number, unique: string): string =>
  join(place.logs, `${jobId}.${run}.${unique}.log`);

/** Names for the logs that one worker writes. Its id and a count make them its own. */
export function logPathsFor(place: Place, workerId: string): (jobId: string, run: number) => string {
  let count = 0;
  return (jobId, run) => attemptLogPath(place, jobId, run, `${workerId}-${(++count).toString(36)}`);
}

export const workerLogPath = (place: Place, workerId: string): string => join(place.run, `${workerId}.log`);
export const pidFilePath = (place: Place, workerId: string): string => join(place.run, `${workerId}.pid`);
