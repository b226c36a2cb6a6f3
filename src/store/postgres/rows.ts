// What rows of PostgreSQL need beyond what all stores share.

/** The time of a statement: a parameter for tests, else the server's clock. */
export const now = (parameter: string): string =>
  `coalesce(${parameter}::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)`;

/** Columns of values, for unnest(): one array a column. */
export const columnsOf = (rows: readonly (readonly unknown[])[], width: number): unknown[][] =>
  Array.from({ length: width }, (_, i) => rows.map((row) => row[i]));
