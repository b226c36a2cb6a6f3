// Unique jobs: only one with the same key is let in at a time. Which of the jobs that are there are in the way of a
// new one, and what becomes of the two, is decided here; the stores look and write. The rule is that of the new job.

import { QueueError } from '../../errors/errors.ts';
import { type Command, type JobState, NON_FINAL_STATES } from '../job.ts';
import { TRANSITIONS } from '../lifecycle.ts';

export const IF_EXISTS = ['skip', 'replace', 'error'] as const;
/** What to do when there is one already: leave the new one out, let it take the other's place, or refuse. */
export type IfExists = (typeof IF_EXISTS)[number];

export const UNIQUE_WHILE = ['waiting', 'unfinished'] as const;
export type UniqueWhile = (typeof UNIQUE_WHILE)[number];
/** As long as the other one waits, as long as it is not final, or for so many seconds since it was enqueued. */
export type UniqueFor = UniqueWhile | number;

/** In which states a job is in the way of another with its key. Whatever can be cancelled at once waits. */
export const IN_THE_WAY: Readonly<Record<UniqueWhile, readonly JobState[]>> = {
  waiting: TRANSITIONS.cancel.from,
  unfinished: NON_FINAL_STATES,
};

/** A new job that wants to be the only one of its key, and the jobs in its way, the oldest first. */
export interface Candidate {
  /** Its place among the jobs that come in with it. */
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
  /** The job that is there, or comes in, in its place. */
  readonly instead: string;
}

export interface Replaced extends Existing {
  /** The new job that takes its place. */
  readonly by: string;
}

export interface UniqueVerdict {
  readonly leftOut: readonly LeftOut[];
  readonly replaced: readonly Replaced[];
}

/** As if they came in one after the other, in their order; but one that a later one replaces does not come in at all. */
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

/** By the id of each job that was left out, the id of the one that is there in the end. */
export function insteadOf(leftOut: readonly LeftOut[]): Map<string, string> {
  const direct = new Map(leftOut.map(({ id, instead }) => [id, instead]));
  const last = (id: string): string => {
    const next = direct.get(id);
    return next === undefined ? id : last(next);
  };
  return new Map([...direct.keys()].map((id) => [id, last(id)]));
}

/** The error of a job that was cancelled because another came. */
export const replacedBy = (id: string): string => `replaced by ${id}, which has the same unique key`;

/** The key of a job that is to be unique and names none: the same command, in the same queue and folder. */
export const keyOfCommand = (command: Command, queue: string, cwd: string | null): string =>
  `command:${sha256(JSON.stringify([command, queue, cwd]))}`;

/** Loaded when needed: few jobs are unique, and every command would pay for it. */
const sha256 = (text: string): string => process.getBuiltinModule('node:crypto').hash('sha256', text);
