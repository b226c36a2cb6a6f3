// Noticing changes: a hint for those who wait for one, and a mark for those who look now and then.

export interface Wakes {
  /** Calls `listener` after a change that workers should look at, until the answered function is called. May be lost. */
  onWake(listener: () => void): () => void;
  /**
   * While it stays the same, nothing in the store has changed, by anybody. It may also differ for no reason that
   * anybody can see. Cheap enough to be asked for several times a second.
   */
  changeMark(): Promise<string>;
}
