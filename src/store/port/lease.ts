// The right to run one attempt of one job.

/**
 * Every write about the attempt names its lease. Leases are never reused. A worker that has lost its lease writes
 * nothing.
 */
export interface Lease {
  readonly seq: number;
  /** Counts every start of the job. */
  readonly run: number;
}
