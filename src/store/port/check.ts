// The health of the store.

export interface Checks {
  /** What is wrong with the store itself, a sentence each. */
  check(): Promise<string[]>;
}
