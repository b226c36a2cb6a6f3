// Dependencies between jobs.

import type { Edge } from '../../job/flow/dependencies.ts';

export interface Dependencies {
  /** Returns the dependencies of a job with their outcomes. */
  ofJob(id: string): Promise<Edge[]>;
  /** Returns the IDs of the first `limit` jobs that depend on this job. */
  childrenOf(id: string, limit: number): Promise<string[]>;
  /**
   * Returns the dependencies of these jobs, and the dependencies of other jobs on these jobs and groups; at most
   * `limit`.
   */
  linksOf(jobs: readonly string[], groups: readonly string[], limit: number): Promise<Link[]>;
  /**
   * Passes outcomes on to dependents, for about `limit` dependents in one transaction. The result of a turn says when
   * there is something to do.
   */
  advance(limit: number): Promise<Advanced>;
}

/** A dependency and the job that has it. */
export interface Link extends Edge {
  readonly child: string;
  /** Seq of the child; increases in the order of creation. */
  readonly childSeq: number;
  /** Null if the parent is a group. */
  readonly parentSeq: number | null;
}

export interface Advanced {
  /** Number of dependents that received an outcome. */
  readonly told: number;
  /** True if more outcomes are waiting. */
  readonly more: boolean;
}
