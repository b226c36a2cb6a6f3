// The right to run one attempt of one job.

/** Every write about the attempt names its lease, and it is never handed out twice. A worker that lost it writes nothing. */
export interface Lease {
  readonly seq: number;
  /** Which start of the job this is, of all there ever were. */
  readonly run: number;
}
