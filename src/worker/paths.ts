// Where the worker's side of a queue keeps its files.

import { join } from 'node:path';
import type { Place } from '../place.ts';

export const attemptLogPath = (place: Place, jobId: string, number: number): string =>
  join(place.logs, `${jobId}.${number}.log`);

export const workerLogPath = (place: Place, workerId: string): string => join(place.run, `${workerId}.log`);
export const pidFilePath = (place: Place, workerId: string): string => join(place.run, `${workerId}.pid`);
