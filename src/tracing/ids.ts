// Ids of traces and spans. They follow from the job itself: so a span that is written later, by another worker or after a retry,
// knows those that it belongs to without anything being kept for it. Pure.

import { createHash } from 'node:crypto';
import { readTraceparent, type TraceParent } from '../job/environment/trace-context.ts';

/** By which a job is told from all others, also from a later one of the same id, and wherever it is moved to. */
export interface TracedJob {
  readonly id: string;
  readonly createdAt: number;
  readonly env: Readonly<Record<string, string>>;
}

export interface JobTrace {
  readonly traceId: string;
  /** What the enqueuer said; null: the trace begins with the job. */
  readonly parent: TraceParent | null;
}

export function traceOf(job: TracedJob): JobTrace {
  const parent = readTraceparent(job.env.TRACEPARENT);
  return { traceId: parent?.traceId ?? hash('trace', job).slice(0, 32), parent };
}

export const enqueueSpanId = (job: TracedJob): string => hash('enqueue', job).slice(0, 16);

export const attemptSpanId = (job: TracedJob, run: number): string =>
  hash(`attempt ${run}`, job).slice(0, 16);

const hash = (what: string, { id, createdAt }: TracedJob): string =>
  createHash('sha256').update(`queuectl ${what} ${id} ${createdAt}`).digest('hex');
