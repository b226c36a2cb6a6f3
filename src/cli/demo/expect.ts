// What the demo takes for granted of the data it looks at, and what it says when something is not so.

import type { JobState } from '../../job/job.ts';

export interface JobSeen {
  readonly state: JobState;
  readonly attempts: number;
  readonly interruptions: number;
  readonly run_at: string | null;
  readonly finished_at: string | null;
  readonly locked_by: string | null;
  readonly history: readonly AttemptSeen[];
}

export interface AttemptSeen {
  readonly worker: string;
  readonly pid: number | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly outcome: string | null;
}

export function expect(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}

/** From one time of a document to a later one. */
export const msBetween = (from: string | null | undefined, to: string | null | undefined): number =>
  Date.parse(to ?? '') - Date.parse(from ?? '');
