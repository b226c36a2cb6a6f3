// How a session starts, and the first query. Settings are sent in the startup packet and never changed later, so that a pooled
// session cannot pass them on to another client. Unsuitable servers are rejected here, before anything is written.

import type pg from 'pg';
import { QueueError } from '../../../errors/errors.ts';
import type { Row } from '../../rows/rows.ts';
import { quotedName } from './names.ts';
import type { Target } from './target.ts';

/** The server enforces these timeouts even if the client is gone. Long statements set their own. */
const STATEMENT_TIMEOUT_MS = 12_000;
const LOCK_TIMEOUT_MS = 10_000;
/** A process that is stopped or disconnected within a transaction blocks others for at most this time. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * Plan types for reading large parts of a table, disabled for short statements: these go from a few rows to a few rows along
 * an index. With missing or outdated statistics, the planner would choose the wrong type. In addition, a plain index scan
 * marks the entries of dead rows, so that the next scan skips them; a bitmap scan reads them again in each turn until a
 * vacuum.
 */
export const WALKS = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin'] as const;

/** Excludes tables of other schemas. */
const searchPathOf = ({ schema }: Target): string => `${quotedName(schema)}, pg_temp`;

const settingsOf = (target: Target): Record<string, string> => ({
  search_path: searchPathOf(target),
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  lock_timeout: String(LOCK_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
  ...Object.fromEntries(WALKS.map((walk) => [walk, 'off'])),
  jit: 'off', // compiling takes longer than any of our statements
});

/** The startup parameter `options`: the user's options come first, so that ours override them. */
export function startupOptions(target: Target): string {
  const ours = Object.entries(settingsOf(target)).map(([key, value]) => `-c ${key}=${escaped(value)}`);
  return [...(target.options === null ? [] : [target.options]), ...ours].join(' ');
}

/** The server splits at white space; a backslash escapes the next character. */
const escaped = (value: string): string => value.replace(/[\s\\]/g, '\\$&');

/** Milliseconds since 1970 by the server's clock. */
const CLOCK = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const FIRST_QUESTION = `
  SELECT ${CLOCK} AS now, pg_backend_pid() AS pid, current_setting('search_path') AS search_path,
    current_setting('server_encoding') AS encoding,
    pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only`;

export interface Greeting {
  /** The server's clock, queried at `askedAtMs` by performance.now(). */
  readonly serverNow: number;
  readonly askedAtMs: number;
  /** The server is a standby or is set to read-only. */
  readonly isReadOnly: boolean;
}

export async function greet(client: pg.Client, target: Target, timeoutMs: number): Promise<Greeting> {
  const askedAtMs = performance.now();
  const { rows } = await client.query({
    text: FIRST_QUESTION,
    query_timeout: Math.max(1, Math.ceil(timeoutMs)),
  } as pg.QueryConfig);
  const row: Row = rows[0];
  checkDirect(client, row, target);
  checkEncoding(String(row.encoding), target);
  return {
    serverNow: Number(row.now),
    askedAtMs,
    isReadOnly: row.is_read_only as boolean,
  };
}

/** A pooler reports a process ID of its own, or ignores our startup settings. */
function checkDirect(client: pg.Client, row: Row, target: Target): void {
  const { processID } = client as unknown as { processID: number | null };
  const isDirect = row.pid === processID && row.search_path === searchPathOf(target);
  if (!isDirect) throw pooled(target, 'the responding session is not the one that was opened');
}

/** A database with another encoding cannot store every text that a job may contain. */
function checkEncoding(encoding: string, target: Target): void {
  if (encoding !== 'UTF8') throw new QueueError('store_encoding', { path: target.name, encoding });
}

/** PgBouncer reports with this that it does not support startup settings. */
const POOLER_REJECTION = /^unsupported (options )?startup parameter/;

export function asPoolerError(error: unknown, target: Target): unknown {
  const { message } = error as Error;
  return POOLER_REJECTION.test(message) ? pooled(target, `PgBouncer: ${message}`, error) : error;
}

const pooled = (target: Target, problem: string, cause?: unknown): QueueError =>
  new QueueError('store_pooled', { path: target.name, problem }, { cause });
