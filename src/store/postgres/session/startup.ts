// What a session is started with, and what its server is asked first. Settings travel in the startup packet: nothing is
// ever set later that a pooled session could carry over to somebody else. A server that we cannot trust with a queue is
// refused here, by name, before anything is written.

import type pg from 'pg';
import { QueueError } from '../../../errors/errors.ts';
import type { Row } from '../../rows/rows.ts';
import { quotedName } from './names.ts';
import type { Target } from './target.ts';

/** What the server sees to itself, in case nobody is left to cancel. Statements that may take long say so. */
const STATEMENT_TIMEOUT_MS = 12_000;
const LOCK_TIMEOUT_MS = 10_000;
/** A process that is stopped or cut off within a transaction holds up the others for no longer than this. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * What a planner does that expects to meet much of a table, and that a short statement has no use for: each of them goes
 * from few rows to few rows along an index. Without statistics, or with those of a busier hour, it would be done all the
 * same. Besides, a plain index scan marks the entries of dead rows that it meets, so that the next one skips them; a
 * bitmap scan reads them all again, each turn, until somebody vacuums.
 */
export const WALKS = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin'] as const;

/** Never a table of somebody else's schema. */
const searchPathOf = ({ schema }: Target): string => `${quotedName(schema)}, pg_temp`;

const settingsOf = (target: Target): Record<string, string> => ({
  search_path: searchPathOf(target),
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  lock_timeout: String(LOCK_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
  ...Object.fromEntries(WALKS.map((walk) => [walk, 'off'])),
  jit: 'off', // compiling takes longer than any of our statements
});

/** The startup parameter `options`: the user's own first, so that ours hold. */
export function startupOptions(target: Target): string {
  const ours = Object.entries(settingsOf(target)).map(([key, value]) => `-c ${key}=${escaped(value)}`);
  return [...(target.options === null ? [] : [target.options]), ...ours].join(' ');
}

/** The server splits at white space; a backslash takes the next character as it is. */
const escaped = (value: string): string => value.replace(/[\s\\]/g, '\\$&');

/** Milliseconds since 1970 by the server's clock. */
const CLOCK = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const FIRST_QUESTION = `
  SELECT ${CLOCK} AS now, pg_backend_pid() AS pid, current_setting('search_path') AS search_path,
    current_setting('server_encoding') AS encoding,
    pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only`;

export interface Greeting {
  /** The server's clock, asked for at this time by performance.now(). */
  readonly serverNow: number;
  readonly askedAtMs: number;
  /** It is a standby, or is set to read-only. */
  readonly isReadOnly: boolean;
}

export async function greet(client: pg.Client, target: Target, timeoutMs: number): Promise<Greeting> {
  const askedAtMs = performance.now();
  const { rows } = await client.query({
    text: FIRST_QUESTION,
    query_timeout: Math.max(1, Math.ceil(timeoutMs)),
  } as pg.QueryConfig);
  const row: Row = rows[0];
  refusePooler(client, row, target);
  refuseEncoding(String(row.encoding), target);
  return {
    serverNow: Number(row.now),
    askedAtMs,
    isReadOnly: row.is_read_only as boolean,
  };
}

/** A pooler answers for the server with a process id of its own, or leaves out what a session is to be started with. */
function refusePooler(client: pg.Client, row: Row, target: Target): void {
  const { processID } = client as unknown as { processID: number | null };
  const isDirect = row.pid === processID && row.search_path === searchPathOf(target);
  if (!isDirect) throw pooled(target, 'the responding session is not the one that was opened');
}

/** A database in another encoding cannot hold every text that a job may have. */
function refuseEncoding(encoding: string, target: Target): void {
  if (encoding !== 'UTF8') throw new QueueError('store_encoding', { path: target.name, encoding });
}

/** As PgBouncer says that it cannot start a session with settings of its own. */
const POOLER_REFUSAL = /^unsupported (options )?startup parameter/;

export function asPoolerRefusal(error: unknown, target: Target): unknown {
  const { message } = error as Error;
  return POOLER_REFUSAL.test(message) ? pooled(target, `PgBouncer: ${message}`, error) : error;
}

const pooled = (target: Target, problem: string, cause?: unknown): QueueError =>
  new QueueError('store_pooled', { path: target.name, problem }, { cause });
