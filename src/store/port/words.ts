// Words chosen by users, for shell completion.

export interface Words {
  /** Returns distinct job names in alphabetical order. */
  names(limit: number): Promise<string[]>;
  /** Returns distinct keys of jobs that are ready, running, or waiting for a slot. */
  keys(limit: number): Promise<string[]>;
}
