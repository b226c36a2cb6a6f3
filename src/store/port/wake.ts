// Waking idle workers.

export interface Wakes {
  /** Calls `listener` after a change that workers should look at, until the answered function is called. May be lost. */
  onWake(listener: () => void): () => void;
}
