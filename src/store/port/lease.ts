// The right to run one attempt of one job.

/** Every write about the attempt names its lease, and it is never handed out twice. Whoever lost it writes nothing. */
export interface Lease {
  readonly seq: number;
  readonly number: number;
}
