// Values that a worker passes to its jobs, including the queue location.

import { statSync } from 'node:fs';
import type { QueuePlace } from '../isolation/isolate.ts';
import type { Place } from '../store/location.ts';
import type { AttemptContext } from './attempt/attempt-context.ts';
import { Mirror } from './attempt/mirror.ts';
import type { WorkerOptions, WorkerParts } from './worker-parts.ts';

type Given = Omit<
  AttemptContext,
  'settings' | 'notAfterMs' | 'hasRunOut' | 'startCheck' | 'vault' | 'passes' | 'tracer'
>;

export const givenToJobs = (
  { place, environment, store, starter, pipes }: WorkerParts,
  { id, user, ownsProcess, watch, webhook }: WorkerOptions,
): Given => ({
  workerId: id,
  db: place.dbForJobs,
  environment,
  place: queuePlace(place),
  user: user ?? null,
  now: store.now,
  starter,
  adoptsOrphans: ownsProcess ?? false,
  pipes,
  watch,
  webhook: webhook ?? null,
  mirror: store.spansHosts ? new Mirror(store.outputs) : null,
  stdinOf: ({ seq }) => store.stdinOf(seq),
});

const queuePlace = ({ file, folder, logs, run }: Place): QueuePlace => ({
  file,
  folder,
  logs,
  run,
  hasOtherOwner: file !== null && (statSync(file, { throwIfNoEntry: false })?.uid ?? 0) !== 0,
});
