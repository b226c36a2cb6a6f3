// Trace and span IDs, derived from the job. A span created later, by another worker or after a retry, gets matching IDs
// without stored state. Pure.

import { createHash } from 'node:crypto';
import { readTraceparent, type TraceParent } from '../job/environment/trace-context.ts';

/** Identifies a job among all others, including a later job with the same ID, and across moves. */
export interface TracedJob {
  readonly id: string;
  readonly createdAt: number;
  readonly env: Readonly<Record<string, string>>;
}

export interface JobTrace {
  readonly traceId: string;
  /** Parent given by the enqueuer; null if the trace begins with the job. */
  readonly parent: TraceParent | null;
}

export function traceOf(job: TracedJob): JobTrace {
  const parent = readTraceparent(job.env.TRACEPARENT);
  return { traceId: parent?.traceId ?? hash('trace', job).slice(0, 32), parent };
}

export const enqueueSpanId = (job: TracedJob): string => hash('enqueue', job).slice(0, 16);

export const attemptSpanId = (job: TracedJob, run: number): string => hash(`attempt ${run}`, job).slice(0, 16);

const hash = (what: string, { id, createdAt }: TracedJob): string =>
  createHash('sha256').update(`queuectl ${what} ${id} ${createdAt}`).digest('hex');
