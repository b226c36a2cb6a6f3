// Words that users have made up for their jobs, for completion.

export interface Words {
  /** Names of jobs, each once, in alphabetical order. */
  names(limit: number): Promise<string[]>;
  /** Keys of jobs that could run, run, or wait for a place, each once. */
  keys(limit: number): Promise<string[]>;
}
