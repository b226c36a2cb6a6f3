// Waiting time and run time of each attempt, for the bars. Pure.

import type { Attempt, JobDetails } from '../../core/types.ts';

export interface Span {
  readonly attempt: Attempt;
  /** `waiting` before the first attempt, `backoff` before the others. */
  readonly kind: 'waiting' | 'backoff';
  readonly waitedMs: number;
  readonly ranMs: number;
}

export function spansOf(job: Pick<JobDetails, 'created_at' | 'run_at' | 'history'>, now: number): Span[] {
  return job.history.map((attempt, i) => {
    const before = job.history[i - 1]?.ended_at;
    const readyAt = before ? Date.parse(before) : firstDue(job);
    const startedAt = Date.parse(attempt.started_at);
    const endedAt = attempt.ended_at ? Date.parse(attempt.ended_at) : now;
    return {
      attempt,
      kind: before ? 'backoff' : 'waiting',
      waitedMs: Math.max(0, startedAt - readyAt),
      ranMs: attempt.duration_ms ?? Math.max(0, endedAt - startedAt),
    };
  });
}

/** Waiting starts at the requested time, not at enqueue. */
const firstDue = ({ created_at, run_at }: Pick<JobDetails, 'created_at' | 'run_at'>): number =>
  Math.max(Date.parse(created_at), run_at ? Date.parse(run_at) : 0);

export const longestOf = (spans: readonly Span[]): number =>
  Math.max(1, ...spans.map(({ waitedMs, ranMs }) => waitedMs + ranMs));
