// The connection for work: made when it is needed, made anew when it was lost, used by one piece of work at a time.
// Whoever asks meets a lost connection only when it could not be had again in time: reads are repeated, and of a
// transaction that was cut off while it committed the server is asked what became of it.

import { createHash } from 'node:crypto';
import type pg from 'pg';
import { QueueError } from '../../errors.ts';
import type { Row } from '../rows.ts';
import { destroy, endClient, gather, openClient, WALKS } from './client.ts';
import { isAftermath, isConflict, isLost, translate } from './failures.ts';
import type { Target } from './target.ts';

/** Longer than the server's own limit, so that it gets to answer; less means that nobody is there any more. */
const ANSWER_WITHIN_MS = 15_000;
/** For what grows with the queue: a large commit, a reset, the metrics. */
export const LONG_MS = 900_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;
const CONFLICTS_AT_MOST = 10;
const CLOSE_WITHIN_MS = 1000;

export interface Result {
  readonly rows: Row[];
  readonly count: number;
}

/** Statements of one transaction. Those sent without waiting for each other's answers travel together. */
export interface Session {
  sql(text: string, values?: readonly unknown[]): Promise<Result>;
  /** Nothing asks for its answer; if it fails, so does the transaction. What is told last travels with the commit. */
  tell(text: string, values?: readonly unknown[]): void;
}

const BEGIN = { read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', write: 'BEGIN' } as const;

export interface ConnectionOptions {
  readonly patienceMs: number;
  readonly clock?: (() => number) | undefined;
  /** How long an answer to an ordinary statement is waited for before the connection is given up. */
  readonly answerWithinMs?: number | undefined;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);

export class Connection {
  readonly target: Target;
  private readonly patienceMs: number;
  private readonly clock: (() => number) | undefined;
  private readonly answerWithinMs: number;
  private client: pg.Client | null = null;
  private closed = false;
  private offsetMs = 0;
  /** The end of the work that was asked for last. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(target: Target, options: ConnectionOptions) {
    this.target = target;
    this.patienceMs = options.patienceMs;
    this.clock = options.clock;
    this.answerWithinMs = options.answerWithinMs ?? ANSWER_WITHIN_MS;
  }

  /** For `now` in SQL: the injected time, or null for the server's own. */
  get givenNow(): number | null {
    return this.clock?.() ?? null;
  }

  /** The server's time as far as it is known without asking; a clock that is set here does not change it. */
  estimatedNow(): number {
    return this.clock?.() ?? Math.round(performance.now() + this.offsetMs);
  }

  /** One statement of its own. It must bear being done twice: after a loss it is. */
  query(text: string, values: readonly unknown[] = [], withinMs = this.answerWithinMs): Promise<Result> {
    return this.alone(() => this.patiently((client) => send(client, text, values, withinMs)));
  }

  /** Runs `work` on one consistent snapshot. */
  read<T>(work: (session: Session) => Promise<T>, withinMs = this.answerWithinMs): Promise<T> {
    return this.alone(() => this.patiently((client) => this.transaction(client, 'read', work, withinMs)));
  }

  /** Runs `work` in one transaction: done once when this resolves, undone when it throws. */
  write<T>(work: (session: Session) => Promise<T>, withinMs = this.answerWithinMs): Promise<T> {
    return this.alone(() => this.patiently((client) => this.transaction(client, 'write', work, withinMs)));
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.race([this.last, sleep(CLOSE_WITHIN_MS)]); // what a server does not answer is not waited for
    const client = this.client;
    this.client = null;
    if (client) await endClient(client);
  }

  private alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => {});
    return result;
  }

  /** Until it is done, refused, or could not be done for as long as our patience lasts. */
  private async patiently<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const began = performance.now();
    const waited = (): number => performance.now() - began;
    for (let tries = 0, conflicts = 0; ; tries++) {
      try {
        return await work(await this.connected(this.patienceMs - waited()));
      } catch (error) {
        if (isLost(error)) this.drop();
        if (isConflict(error) && conflicts++ < CONFLICTS_AT_MOST) continue;
        const leftMs = this.patienceMs - waited();
        if (!isLost(error) || leftMs <= 0) throw translate(error, this.target.name, waited());
        const pauseMs = jittered(Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS));
        await sleep(Math.min(pauseMs, leftMs)); // the last try comes when our patience ends, not before
      }
    }
  }

  private async connected(remainingMs: number): Promise<pg.Client> {
    if (this.closed) throw new Error('the store is closed');
    if (this.client) return this.client;
    const timeoutMs = Math.max(100, Math.min(remainingMs, this.target.connectTimeoutMs));
    const { client, serverNow } = await openClient(this.target, timeoutMs);
    this.offsetMs = serverNow - performance.now();
    client.on('end', () => {
      if (this.client === client) this.client = null;
    });
    this.client = client;
    return client;
  }

  /** What it may still hold on the server ends with it. */
  private drop(): void {
    if (this.client) destroy(this.client);
    this.client = null;
  }

  private async transaction<T>(
    client: pg.Client,
    kind: 'read' | 'write',
    work: (session: Session) => Promise<T>,
    withinMs: number,
  ): Promise<T> {
    const told: Promise<Result>[] = [];
    const begun = unwatched(send(client, BEGIN[kind], [], withinMs));
    // Its number is at hand before the commit is sent: so it can be asked for, whatever happens then.
    const numbered =
      kind === 'write' ? unwatched(send(client, 'SELECT txid_current()::text AS id', [], withinMs)) : null;
    if (withinMs === LONG_MS) unwatched(send(client, forLong(withinMs), [], withinMs));
    try {
      const result = await work({
        sql: (text, values = []) => send(client, text, values, withinMs),
        tell: (text, values = []) => told.push(unwatched(send(client, text, values, withinMs))),
      });
      await begun;
      const id = (await numbered)?.rows[0]?.id as string | undefined;
      await this.commit(client, told, id, withinMs);
      return result;
    } catch (error) {
      if (!isLost(error)) await this.rollBack(client);
      throw isAftermath(error) ? ((await firstFailureOf(told)) ?? error) : error;
    }
  }

  private async commit(
    client: pg.Client,
    told: readonly Promise<Result>[],
    id: string | undefined,
    withinMs: number,
  ): Promise<void> {
    try {
      await Promise.all([...told, sendCommit(client, withinMs)]);
    } catch (error) {
      if (id === undefined || !isLost(error)) throw error;
      this.drop();
      if (!(await this.wasCommitted(id, error))) throw error; // undone, and so it is tried again
    }
  }

  private async wasCommitted(id: string, cause: unknown): Promise<boolean> {
    const began = performance.now();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const status = await this.statusOf(id).catch((error: unknown) => {
        if (!isLost(error)) throw error;
        return 'in progress';
      });
      if (status !== 'in progress') return status === 'committed';
      if (performance.now() - began + pauseMs > this.patienceMs) throw this.undecided(cause);
      await sleep(jittered(pauseMs));
    }
  }

  private async statusOf(id: string): Promise<unknown> {
    const client = await this.connected(this.patienceMs);
    const { rows } = await send(
      client,
      'SELECT txid_status($1::bigint) AS status',
      [id],
      this.answerWithinMs,
    );
    return rows[0]?.status;
  }

  private undecided(cause: unknown): QueueError {
    const problem = 'the connection was lost during a commit, so what was asked for may be done or not';
    return new QueueError('store_unreachable', { path: this.target.name, problem }, { cause });
  }

  private async rollBack(client: pg.Client): Promise<void> {
    await send(client, 'ROLLBACK', [], this.answerWithinMs).catch(() => this.drop());
  }
}

/** A commit of a transaction that has failed answers ROLLBACK; whoever failed has told why. */
async function sendCommit(client: pg.Client, withinMs: number): Promise<void> {
  gather(client);
  const { command } = await client.query({ text: 'COMMIT', query_timeout: withinMs } as pg.QueryConfig);
  if (command !== 'COMMIT') throw new Error('the transaction was not committed');
}

async function send(
  client: pg.Client,
  text: string,
  values: readonly unknown[],
  withinMs: number,
): Promise<Result> {
  const name = values.length > 0 ? statementName(text) : undefined;
  const query = { text, values: [...values], name, query_timeout: withinMs };
  gather(client);
  const { rows, rowCount } = await client.query(query as pg.QueryConfig);
  return { rows, count: rowCount ?? 0 };
}

/** Statements are prepared once a connection, under a name that follows from their text. */
const names = new Map<string, string>();
function statementName(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `queuectl_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/** What takes long walks over tables, and is best let do so. */
const forLong = (withinMs: number): string =>
  [`statement_timeout = ${withinMs}`, ...WALKS.map((walk) => `${walk} = on`)]
    .map((setting) => `SET LOCAL ${setting}`)
    .join('; ');

async function firstFailureOf(told: readonly Promise<Result>[]): Promise<unknown> {
  const failures = (await Promise.allSettled(told)).filter(({ status }) => status === 'rejected');
  return (failures[0] as PromiseRejectedResult | undefined)?.reason;
}

/** Its failure is told by what comes after it. */
function unwatched<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
