// How long a job waited before each attempt and how long each ran: what the bars show. Pure.

import type { Attempt, JobDetails } from '../../core/types.ts';

export interface Span {
  readonly attempt: Attempt;
  /** Before the first one it waited for its turn; before the others also for the backoff. */
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

/** Nobody waits before the time that was asked for. */
const firstDue = ({ created_at, run_at }: Pick<JobDetails, 'created_at' | 'run_at'>): number =>
  Math.max(Date.parse(created_at), run_at ? Date.parse(run_at) : 0);

export const longestOf = (spans: readonly Span[]): number =>
  Math.max(1, ...spans.map(({ waitedMs, ranMs }) => waitedMs + ranMs));
