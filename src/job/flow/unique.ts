// Unique jobs: at most one job per unique key. Decides which existing jobs conflict with a new one, and which of the
// two stays. The new job's rule applies. The stores only read and write.

import { QueueError } from '../../errors/errors.ts';
import { type Command, type JobState, NON_FINAL_STATES } from '../job.ts';
import { TRANSITIONS } from '../lifecycle.ts';

export const IF_EXISTS = ['skip', 'replace', 'error'] as const;
/** Action if a job with the key exists: skip the new job, replace the existing one, or reject. */
export type IfExists = (typeof IF_EXISTS)[number];

export const UNIQUE_WHILE = ['waiting', 'unfinished'] as const;
export type UniqueWhile = (typeof UNIQUE_WHILE)[number];
/** How long a job keeps its key: while it waits, until it finishes, or for this many seconds after enqueueing. */
export type UniqueFor = UniqueWhile | number;

/**
 * States in which a job conflicts with another that has the same key. Waiting states are those that can be cancelled at
 * once.
 */
export const IN_THE_WAY: Readonly<Record<UniqueWhile, readonly JobState[]>> = {
  waiting: TRANSITIONS.cancel.from,
  unfinished: NON_FINAL_STATES,
};

/** A new unique job and the existing jobs it conflicts with, oldest first. */
export interface Candidate {
  /** Position among the jobs enqueued together. */
  readonly position: number;
  readonly id: string;
  readonly uniqueKey: string;
  readonly ifExists: IfExists;
  readonly inTheWay: readonly Existing[];
}

export interface Existing {
  readonly seq: number;
  readonly id: string;
}

export interface LeftOut {
  readonly position: number;
  readonly id: string;
  /** ID of the existing or new job that is kept instead. */
  readonly instead: string;
}

export interface Replaced extends Existing {
  /** ID of the new job that replaces it. */
  readonly by: string;
}

export interface UniqueVerdict {
  readonly leftOut: readonly LeftOut[];
  readonly replaced: readonly Replaced[];
}

/** Decides in order, as if the jobs were enqueued one by one. A job that a later one replaces is not stored at all. */
export function decideUnique(candidates: readonly Candidate[]): UniqueVerdict {
  const comingIn = new Map<string, Candidate>();
  const leftOut: LeftOut[] = [];
  const replaced = new Map<number, Replaced>();
  for (const job of candidates) {
    const twin = comingIn.get(job.uniqueKey);
    const there = job.inTheWay.filter(({ seq }) => !replaced.has(seq));
    const other = twin?.id ?? there.at(-1)?.id;
    if (other !== undefined && job.ifExists === 'error')
      throw new QueueError('not_unique', { key: job.uniqueKey, id: other });
    if (other !== undefined && job.ifExists === 'skip') {
      leftOut.push({ position: job.position, id: job.id, instead: other });
      continue;
    }
    if (twin) leftOut.push({ position: twin.position, id: twin.id, instead: job.id });
    for (const existing of there) replaced.set(existing.seq, { ...existing, by: job.id });
    comingIn.set(job.uniqueKey, job);
  }
  return { leftOut, replaced: [...replaced.values()] };
}

/** Maps the ID of each skipped job to the ID of the job that is finally kept. */
export function insteadOf(leftOut: readonly LeftOut[]): Map<string, string> {
  const direct = new Map(leftOut.map(({ id, instead }) => [id, instead]));
  const last = (id: string): string => {
    const next = direct.get(id);
    return next === undefined ? id : last(next);
  };
  return new Map([...direct.keys()].map((id) => [id, last(id)]));
}

/** Error text of a job that was cancelled because another replaced it. */
export const replacedBy = (id: string): string => `replaced by ${id}, which has the same unique key`;

/** Default key of a unique job: its command, queue and directory. */
export const keyOfCommand = (command: Command, queue: string, cwd: string | null): string =>
  `command:${sha256(JSON.stringify([command, queue, cwd]))}`;

/** Loaded on demand: few jobs are unique, and every command would pay for the import. */
const sha256 = (text: string): string => process.getBuiltinModule('node:crypto').hash('sha256', text);
