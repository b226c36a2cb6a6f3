// Makes the context that a worker passes to its attempts.

import { statSync } from 'node:fs';
import type { QueuePlace } from '../isolation/isolate.ts';
import type { Place } from '../store/location.ts';
import type { AttemptContext } from './attempt/attempt-context.ts';
import { Mirror } from './attempt/mirror.ts';
import type { LeaseClock } from './guard/lease-clock.ts';
import type { WorkerOptions, WorkerParts } from './worker-parts.ts';

export const contextForAttempts = (
  { id, user, ownsProcess, watch, webhook }: WorkerOptions,
  { place, environment, store, starter, pipes, settings, tracing, startCheck, vault, passes }: WorkerParts,
  lease: Pick<LeaseClock, 'startUntilMs' | 'hasRunOut'>,
): AttemptContext => ({
  ...{ environment, settings, starter, pipes, startCheck, vault, passes, watch },
  workerId: id,
  db: place.dbForJobs,
  place: queuePlace(place),
  user: user ?? null,
  now: store.now,
  notAfterMs: () => lease.startUntilMs,
  hasRunOut: () => lease.hasRunOut,
  adoptsOrphans: ownsProcess ?? false,
  webhook: webhook ?? null,
  mirror: store.spansHosts ? new Mirror(store.outputs) : null,
  stdinOf: ({ seq }) => store.stdinOf(seq),
  tracer: () => tracing.tracer,
});

const queuePlace = ({ file, folder, logs, run }: Place): QueuePlace => ({
  file,
  folder,
  logs,
  run,
  hasOtherOwner: file !== null && (statSync(file, { throwIfNoEntry: false })?.uid ?? 0) !== 0,
});
