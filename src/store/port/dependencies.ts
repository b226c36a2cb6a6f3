// Jobs that wait for others.

import type { Edge } from '../../job/flow/dependencies.ts';

export interface Dependencies {
  /** What a job waits for or waited for, with how that ended. */
  ofJob(id: string): Promise<Edge[]>;
  /** The jobs that wait for this one, by id, the first `limit` of them. */
  childrenOf(id: string, limit: number): Promise<string[]>;
  /** What these jobs wait for, and which jobs wait for them or for the groups; at most `limit`. */
  linksOf(jobs: readonly string[], groups: readonly string[], limit: number): Promise<Link[]>;
  /**
   * Tells jobs that wait for others what has ended since, about `limit` of them in one transaction. A turn says when there
   * is something to tell.
   */
  advance(limit: number): Promise<Advanced>;
}

/** An edge and the job that has it. */
export interface Link extends Edge {
  readonly child: string;
  /** Jobs came in in the order of these numbers. */
  readonly childSeq: number;
  /** null: the parent is a group. */
  readonly parentSeq: number | null;
}

export interface Advanced {
  /** How many jobs an end was passed on to. */
  readonly told: number;
  /** Whether there is more to pass on. */
  readonly more: boolean;
}
