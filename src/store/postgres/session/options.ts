// How a PostgreSQL store is opened, beyond its address.

export interface PostgresOptions {
  /** Default: the server's clock. */
  readonly clock?: (() => number) | undefined;
  /** How long a server is waited for that cannot be reached; default: its connect_timeout. */
  readonly patienceMs?: number | undefined;
  /** How long an answer is waited for before the connection is given up. */
  readonly answerWithinMs?: number | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** How long the connection for long work is kept when there is none. */
  readonly closeAsideAfterMs?: number | undefined;
  /** false: a schema that is not there is not made. */
  readonly create?: boolean | undefined;
}
