// What other tools call the states of a job. They get a hint: some tools mean something slightly different.

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

/** Every other name with the state that it stands for. */
export function stateSynonyms(): [string, string][] {
  return Object.entries(STATES);
}
