// Checks and repairs of the stored data.

export interface Checks {
  /** Returns problems with the stored data, one sentence each. */
  check(): Promise<string[]>;
  /**
   * Repairs failed jobs whose last attempt ended in the future, according to a clock that has been set back since: their
   * backoff restarts now. Returns their number.
   */
  repairBackoffs(): Promise<number>;
}
