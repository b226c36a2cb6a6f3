// Checks of the demo: waits for conditions, and throws if they are not met.

import { setTimeout as sleep } from 'node:timers/promises';
import type { JobJson } from '../../job/fields/fields.ts';
import { duration } from '../render/kit/human.ts';

const LOOK_AGAIN_MS = 50;
const LONGEST_WAIT_MS = 15_000;

export type JobSeen = Pick<JobJson, 'state' | 'attempts' | 'interruptions' | 'run_at' | 'finished_at' | 'locked_by'> & {
  readonly history: readonly AttemptSeen[];
};

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

/** Returns the time between two timestamps. */
export const msBetween = (from: string | null | undefined, to: string | null | undefined): number =>
  Date.parse(to ?? '') - Date.parse(from ?? '');

/** Returns false as long as the condition is not met. */
export type Look<T> = () => T | false | Promise<T | false>;

export async function lookUntil<T>(what: string, look: Look<T>): Promise<T> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const answer = await look();
    if (answer !== false) return answer;
    expect(performance.now() < deadline, `timed out after ${duration(LONGEST_WAIT_MS)} waiting for ${what}`);
    await sleep(LOOK_AGAIN_MS);
  }
}
