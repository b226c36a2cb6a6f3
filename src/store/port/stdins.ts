// What jobs are given to read.

export interface Stdins {
  /** The standard input of a job that has one of its own; null: it has none, or is gone. */
  stdinOf(seq: number): Promise<Uint8Array | null>;
}
