// The audit log: the latest actions, and who performed them.

export interface ActivityLog {
  record(entry: ActivityEntry): Promise<void>;
  /** Returns the newest entries first, optionally only those before the entry `before`. */
  list(limit: number, before?: number): Promise<RecordedActivity[]>;
  /** Deletes all except about the newest `keep` entries. Returns the number of deleted entries. */
  forget(keep: number): Promise<number>;
}

export interface ActivityEntry {
  readonly at: number;
  /** Login name and host, a user of the server, or a worker. */
  readonly actor: string;
  readonly via: 'cli' | 'http' | 'mcp' | 'library' | 'worker';
  /** The action, such as cancel, queue pause, setting. */
  readonly action: string;
  /** Null if the action applies to the whole queue. */
  readonly target: string | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
}

export interface RecordedActivity extends ActivityEntry {
  /** Increases with every entry. */
  readonly seq: number;
}
