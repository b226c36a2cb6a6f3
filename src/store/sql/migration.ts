// One step from one version of the schema to the next: the same shape, numbers and names in every store.
// A migration that has been released is never edited; test/fixtures has queues of old versions that prove the way up.

export interface Migration {
  readonly version: number;
  readonly name: string;
  /** The statements, for the schema of this name; a file has only one, and no use for its name. */
  readonly sql: (schema: string) => string;
}
