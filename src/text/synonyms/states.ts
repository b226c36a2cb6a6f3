// Names that other tools use for job states. They only get a hint, because some tools mean something slightly
// different.

const STATES: Readonly<Record<string, string>> = {
  running: 'processing',
  active: 'processing',
  started: 'processing',
  in_progress: 'processing',
  done: 'completed',
  finished: 'completed',
  success: 'completed',
  succeeded: 'completed',
  queued: 'pending',
  waiting: 'pending',
  ready: 'pending',
  scheduled: 'pending',
  retrying: 'failed',
  error: 'dead',
  dlq: 'dead',
  canceled: 'cancelled',
  killed: 'cancelled',
};

export function stateMeant(word: string): string | undefined {
  return Object.hasOwn(STATES, word) ? STATES[word] : undefined;
}

/** Returns every synonym with its state. */
export function stateSynonyms(): [string, string][] {
  return Object.entries(STATES);
}
