// What a worker has for its jobs, and what it knows of where they come from.

import { statSync } from 'node:fs';
import type { QueuePlace } from '../confine/confine.ts';
import type { Place } from '../place.ts';
import type { AttemptContext } from './attempt-context.ts';
import type { WorkerOptions, WorkerParts } from './worker-parts.ts';

export const givenToJobs = (
  { place, environment }: Pick<WorkerParts, 'place' | 'environment'>,
  { user }: Pick<WorkerOptions, 'user'>,
): Pick<AttemptContext, 'db' | 'environment' | 'place' | 'user'> => ({
  db: place.dbForJobs,
  environment,
  place: queuePlace(place),
  user: user ?? null,
});

const queuePlace = ({ file, folder, logs, run }: Place): QueuePlace => ({
  file,
  folder,
  logs,
  run,
  isOfOther: file !== null && (statSync(file, { throwIfNoEntry: false })?.uid ?? 0) !== 0,
});
