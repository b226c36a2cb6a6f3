// One transaction on one connection, from BEGIN to COMMIT, and how to find out whether it was committed if the answer to
// COMMIT is lost. A transaction ID can prove only that the work was not done: after a fail-over another transaction may
// have the same ID. Rows that only this transaction can have written prove that the work was done.

import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Row } from '../../rows/rows.ts';
import { gather } from './client.ts';
import { isAfterFailure, isUnassignedId } from './failures.ts';
import { storable } from '../rows.ts';
import { WALKS } from './startup.ts';

/** Timeout for work that grows with the queue: a large commit, a reset, metrics. */
export const LONG_MS = 900_000;

/** Finished jobs are kept at least this long, even with a shorter retention: their rows prove that they were enqueued. */
export const PROOF_IS_KEPT_MS = 60_000;
/** After this time, a missing row proves nothing. */
const PROOF_IS_ASKED_WITHIN_MS = 45_000;

export interface Result {
  readonly rows: Row[];
  readonly count: number;
}

/** The statements of one transaction. Statements that do not wait for each other's results are pipelined. */
export interface Session {
  sql(text: string, values?: readonly unknown[]): Promise<Result>;
  /** Sends a statement without waiting for its result. If it fails, so does the commit. The last ones travel with the commit. */
  send(text: string, values?: readonly unknown[]): void;
  /**
   * Sets the query that finds out whether this transaction was committed if the answer to COMMIT is lost: any row means yes.
   * If it finds no row soon after the commit, the work is done again, which must be harmless.
   */
  provenBy(text: string, values?: readonly unknown[]): void;
}

export interface WriteOptions {
  readonly withinMs?: number | undefined;
  /** Doing the work twice is the same as doing it once, so it needs no proof. */
  readonly isRepeatable?: boolean;
}

/** The outcome of a commit whose answer was lost. */
export type Fate = 'committed' | 'undone' | 'in progress' | 'unknown';

/** The ID is known before the commit is sent, so that the server can be asked about it later. */
const BEGIN = {
  read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  write: 'BEGIN; SELECT txid_current()::text AS id',
} as const;
/** For repeatable work: finds no row, so the work is done again. */
const NO_PROOF = { text: 'SELECT WHERE false', values: [] } as const;

interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

export class Transaction implements Session {
  private readonly client: pg.Client;
  private readonly withinMs: number;
  private readonly opening: Promise<Result>[] = [];
  private readonly sent: Promise<Result>[] = [];
  private readonly kind: keyof typeof BEGIN;
  private proof: Query | null;
  private id: string | null = null;
  /** By the clock of this machine, which advances even while the process is stopped or the machine sleeps. */
  private committedAtMs = 0;

  constructor(client: pg.Client, kind: 'read' | 'write', withinMs: number, isRepeatable = false) {
    this.client = client;
    this.withinMs = withinMs;
    this.proof = isRepeatable ? NO_PROOF : null;
    this.kind = kind;
    this.prepare(BEGIN[kind]);
    if (withinMs === LONG_MS) this.prepare(forLong(withinMs));
  }

  /** Whether a commit could have changed anything. */
  get isWrite(): boolean {
    return this.kind === 'write';
  }

  sql(text: string, values: readonly unknown[] = []): Promise<Result> {
    return execute(this.client, text, values, this.withinMs);
  }

  send(text: string, values: readonly unknown[] = []): void {
    this.sent.push(unwatched(this.sql(text, values)));
  }

  provenBy(text: string, values: readonly unknown[] = []): void {
    this.proof = { text, values };
  }

  /** Resolves when only the commit is left to send. */
  async ready(): Promise<void> {
    const [begun] = await Promise.all(this.opening);
    this.id = (begun?.rows[0]?.id as string | undefined) ?? null;
  }

  async commit(): Promise<void> {
    this.committedAtMs = Date.now();
    await Promise.all([...this.sent, sendCommit(this.client, this.withinMs)]);
  }

  /** Call it with a new connection, after the one of this transaction was lost. */
  async fate(client: pg.Client, withinMs: number): Promise<Fate> {
    const status = await statusOf(client, this.id, withinMs);
    if (status === 'aborted') return 'undone';
    const found = this.proof && (await execute(client, this.proof.text, this.proof.values, withinMs));
    if (found && found.rows.length > 0) return 'committed';
    if (status === 'in progress') return 'in progress';
    return found && this.isProofKept() ? 'undone' : 'unknown';
  }

  /** Whether a missing row means that the work was not done. Later, the row may have been removed. */
  private isProofKept(): boolean {
    return this.proof === NO_PROOF || Math.abs(Date.now() - this.committedAtMs) < PROOF_IS_ASKED_WITHIN_MS;
  }

  /** If a statement failed only because an earlier one did, returns the earlier failure. */
  async causeOf(error: unknown): Promise<unknown> {
    if (!isAfterFailure(error)) return error;
    const all = await Promise.allSettled([...this.opening, ...this.sent]);
    const failures = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    return failures.find((failure) => !isAfterFailure(failure)) ?? error;
  }

  private prepare(text: string): Promise<Result> {
    const sent = unwatched(this.sql(text));
    this.opening.push(sent);
    return sent;
  }
}

/** Returns 'aborted' also for an ID that the server has not assigned yet. */
async function statusOf(client: pg.Client, id: string | null, withinMs: number): Promise<unknown> {
  try {
    const { rows } = await execute(client, 'SELECT txid_status($1::bigint) AS status', [id], withinMs);
    return rows[0]?.status;
  } catch (error) {
    if (isUnassignedId(error)) return 'aborted';
    throw error;
  }
}

/** The server answers ROLLBACK if the transaction has failed; the failed statement has the reason. */
async function sendCommit(client: pg.Client, withinMs: number): Promise<void> {
  gather(client);
  const { command } = await client.query({ text: 'COMMIT', query_timeout: withinMs } as pg.QueryConfig);
  if (command !== 'COMMIT') throw new Error('the transaction was not committed');
}

export async function execute(
  client: pg.Client,
  text: string,
  values: readonly unknown[],
  withinMs: number,
): Promise<Result> {
  const name = values.length > 0 ? statementName(text) : undefined;
  const query = { text, values: values.map(storable), name, query_timeout: withinMs };
  gather(client);
  const result: pg.QueryResult | pg.QueryResult[] = await client.query(query as pg.QueryConfig);
  const { rows, rowCount } = Array.isArray(result) ? (result.at(-1) as pg.QueryResult) : result;
  return { rows, count: rowCount ?? 0 };
}

/** Statements are prepared once for each connection, under a name derived from their text. */
const names = new Map<string, string>();
function statementName(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `queuectl_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/** Long work may scan whole tables, so the planner is allowed to. */
const forLong = (withinMs: number): string =>
  [`statement_timeout = ${withinMs}`, ...WALKS.map((walk) => `${walk} = on`)]
    .map((setting) => `SET LOCAL ${setting}`)
    .join('; ');

/** Prevents an unhandled rejection: a later statement reports the failure. */
function unwatched<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
