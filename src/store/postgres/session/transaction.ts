// One transaction on one connection, from BEGIN to COMMIT, and what is known about it should the answer to the COMMIT
// be lost. A transaction id can prove only that the work was not done: after a fail-over it may have been given to
// somebody else's transaction. That the work was done is proven by rows that only this transaction can have written.

import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Row } from '../../rows/rows.ts';
import { gather } from './client.ts';
import { isAftermath, isNotYetGiven } from './failures.ts';
import { storable } from '../rows.ts';
import { WALKS } from './startup.ts';

/** For what grows with the queue: a large commit, a reset, the metrics. */
export const LONG_MS = 900_000;

/** How long finished jobs stay at least, whatever the retention is: their rows prove that they were enqueued. */
export const PROOF_IS_KEPT_MS = 60_000;
/** After this time a missing row proves nothing. */
const PROOF_IS_ASKED_WITHIN_MS = 45_000;

export interface Result {
  readonly rows: Row[];
  readonly count: number;
}

/** Statements of one transaction. Those sent without waiting for each other's answers travel together. */
export interface Session {
  sql(text: string, values?: readonly unknown[]): Promise<Result>;
  /** Its answer is not waited for; if it fails, so does the transaction. What is sent last travels with the commit. */
  tell(text: string, values?: readonly unknown[]): void;
  /**
   * The question whether this transaction was committed, for when the answer to its commit is lost: any row says yes.
   * If there is none soon after the commit, the work is done again, so that must be harmless.
   */
  provenBy(text: string, values?: readonly unknown[]): void;
}

export interface WriteOptions {
  readonly withinMs?: number | undefined;
  /** Doing it twice is the same as doing it once, so it needs no proof. */
  readonly isRepeatable?: boolean;
}

/** What became of a commit whose answer was lost. */
export type Fate = 'committed' | 'undone' | 'in progress' | 'unknown';

const BEGIN = { read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', write: 'BEGIN' } as const;
/** No row at all: nothing shows that it was done, and doing it again is harmless. */
const NO_PROOF = { text: 'SELECT WHERE false', values: [] } as const;

interface Question {
  readonly text: string;
  readonly values: readonly unknown[];
}

export class Transaction implements Session {
  private readonly client: pg.Client;
  private readonly withinMs: number;
  private readonly first: Promise<Result>[] = [];
  private readonly told: Promise<Result>[] = [];
  private readonly numbered: Promise<Result> | null;
  private proof: Question | null;
  private id: string | null = null;
  /** By the clock of this machine, which goes on while a process is stopped or the machine sleeps. */
  private committedAtMs = 0;

  constructor(client: pg.Client, kind: 'read' | 'write', withinMs: number, isRepeatable = false) {
    this.client = client;
    this.withinMs = withinMs;
    this.proof = isRepeatable ? NO_PROOF : null;
    this.prepare(BEGIN[kind]);
    // Its id is at hand before the commit is sent, so that it can be asked about whatever happens then.
    this.numbered = kind === 'write' ? this.prepare('SELECT txid_current()::text AS id') : null;
    if (withinMs === LONG_MS) this.prepare(forLong(withinMs));
  }

  /** Whether there is anything that a commit could have done. */
  get isWrite(): boolean {
    return this.numbered !== null;
  }

  sql(text: string, values: readonly unknown[] = []): Promise<Result> {
    return send(this.client, text, values, this.withinMs);
  }

  tell(text: string, values: readonly unknown[] = []): void {
    this.told.push(unwatched(this.sql(text, values)));
  }

  provenBy(text: string, values: readonly unknown[] = []): void {
    this.proof = { text, values };
  }

  /** Resolves when only the commit is left to be sent. */
  async ready(): Promise<void> {
    await Promise.all(this.first);
    this.id = ((await this.numbered)?.rows[0]?.id as string | undefined) ?? null;
  }

  async commit(): Promise<void> {
    this.committedAtMs = Date.now();
    await Promise.all([...this.told, sendCommit(this.client, this.withinMs)]);
  }

  /** Asked on another connection, after the one of this transaction was lost. */
  async fate(client: pg.Client, withinMs: number): Promise<Fate> {
    const status = await statusOf(client, this.id, withinMs);
    if (status === 'aborted') return 'undone';
    const found = this.proof && (await send(client, this.proof.text, this.proof.values, withinMs));
    if (found && found.rows.length > 0) return 'committed';
    if (status === 'in progress') return 'in progress';
    return found && this.isProofKept() ? 'undone' : 'unknown';
  }

  /** Whether a missing row means that the work was not done. Later the row may have been removed since. */
  private isProofKept(): boolean {
    return this.proof === NO_PROOF || Math.abs(Date.now() - this.committedAtMs) < PROOF_IS_ASKED_WITHIN_MS;
  }

  /** If a statement failed only because one before it did, the failure of that one. */
  async causeOf(error: unknown): Promise<unknown> {
    if (!isAftermath(error)) return error;
    const all = await Promise.allSettled([...this.first, ...this.told]);
    const failures = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    return failures.find((failure) => !isAftermath(failure)) ?? error;
  }

  private prepare(text: string): Promise<Result> {
    const sent = unwatched(this.sql(text));
    this.first.push(sent);
    return sent;
  }
}

/** 'aborted' also for an id that the server has not given to anybody yet. */
async function statusOf(client: pg.Client, id: string | null, withinMs: number): Promise<unknown> {
  try {
    const { rows } = await send(client, 'SELECT txid_status($1::bigint) AS status', [id], withinMs);
    return rows[0]?.status;
  } catch (error) {
    if (isNotYetGiven(error)) return 'aborted';
    throw error;
  }
}

/** A commit of a transaction that has failed answers ROLLBACK; the statement that failed says why. */
async function sendCommit(client: pg.Client, withinMs: number): Promise<void> {
  gather(client);
  const { command } = await client.query({ text: 'COMMIT', query_timeout: withinMs } as pg.QueryConfig);
  if (command !== 'COMMIT') throw new Error('the transaction was not committed');
}

export async function send(
  client: pg.Client,
  text: string,
  values: readonly unknown[],
  withinMs: number,
): Promise<Result> {
  const name = values.length > 0 ? statementName(text) : undefined;
  const query = { text, values: values.map(storable), name, query_timeout: withinMs };
  gather(client);
  const { rows, rowCount } = await client.query(query as pg.QueryConfig);
  return { rows, count: rowCount ?? 0 };
}

/** Statements are prepared once per connection, under a name that follows from their text. */
const names = new Map<string, string>();
function statementName(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `queuectl_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/** What takes long goes through whole tables, and may plan for that. */
const forLong = (withinMs: number): string =>
  [`statement_timeout = ${withinMs}`, ...WALKS.map((walk) => `${walk} = on`)]
    .map((setting) => `SET LOCAL ${setting}`)
    .join('; ');

/** Its failure is reported by whatever comes after it. */
function unwatched<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
