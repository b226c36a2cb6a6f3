// A clock that was ahead and is set right again.

export interface BackoffRepairs {
  /**
   * Failed jobs whose last attempt ended in the future, by a clock that was set back since: their delay counts from
   * now. Returns how many there were.
   */
  repairBackoffs(): Promise<number>;
}
