// Who did what to the queue, the last so many things.

export interface ActivityLog {
  record(entry: ActivityEntry): Promise<void>;
  /** The newest first: those before `before`, or the newest of all. */
  list(limit: number, before?: number): Promise<RecordedActivity[]>;
  /** Forgets all but about the last `keep`; returns how many went. */
  forget(keep: number): Promise<number>;
}

export interface ActivityEntry {
  readonly at: number;
  /** A login name and host, a user of the server, or a worker. */
  readonly actor: string;
  readonly via: 'cli' | 'http' | 'mcp' | 'library' | 'worker';
  /** What was done: cancel, queue pause, setting. */
  readonly action: string;
  /** To what; null: to the queue as a whole. */
  readonly target: string | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
}

export interface RecordedActivity extends ActivityEntry {
  /** Its place in the order of things. */
  readonly seq: number;
}
