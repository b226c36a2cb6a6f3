// Paths of the files that workers keep for a queue.

import { join } from 'node:path';
import type { Place } from '../../store/location.ts';

/** `unique` avoids collisions: a recreated queue may reuse an ID, and some file systems ignore case. */
const attemptLogPath = (place: Place, jobId: string, run: number, unique: string): string =>
  join(place.logs, `${jobId}.${run}.${unique}.log`);

/** Returns a name generator for one worker's logs. The worker ID and a counter make names unique. */
export function logPathsFor(place: Place, workerId: string): (jobId: string, run: number) => string {
  let count = 0;
  return (jobId, run) => attemptLogPath(place, jobId, run, `${workerId}-${(++count).toString(36)}`);
}

export const workerLogPath = (place: Place, workerId: string): string => join(place.run, `${workerId}.log`);
export const pidFilePath = (place: Place, workerId: string): string => join(place.run, `${workerId}.pid`);
