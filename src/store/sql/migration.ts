// One step from a schema version to the next. Both stores use the same numbers and names. Released migrations are never
// edited; test/fixtures has queues of old versions to test upgrades.

export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Returns the statements for a schema with this name. SQLite ignores the name. */
  readonly sql: (schema: string) => string;
}
