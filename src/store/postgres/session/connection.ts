// The connection for work: made when it is needed, made again when it was lost, used by one piece of work at a time.
// Callers see a lost connection only if it could not be made again in time: reads are repeated, and if the connection
// drops during COMMIT, the server is asked whether it went through.

import type pg from 'pg';
import { QueueError } from '../../../errors/errors.ts';
import { EnvironmentCache } from '../../sql/environment-cache.ts';
import { destroy, endClient, openClient } from './client.ts';
import { isConflict, isLost, isReadOnly, translate } from './failures.ts';
import { ServerClock } from './server-clock.ts';
import type { Target } from './target.ts';
import {
  type Fate,
  LONG_MS,
  type Result,
  type Session,
  send,
  Transaction,
  type WriteOptions,
} from './transaction.ts';

export { LONG_MS, type Result, type Session };

/** Longer than the server's own limit, so that the server can answer first; no answer means that it is gone. */
const ANSWER_WITHIN_MS = 15_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;
const CONFLICTS_AT_MOST = 10;
const CLOSE_WITHIN_MS = 1000;

export interface ConnectionOptions {
  readonly patienceMs: number;
  readonly clock?: (() => number) | undefined;
  /** How long to wait for the answer to an ordinary statement before giving the connection up. */
  readonly answerWithinMs?: number | undefined;
  /** It is closed after so much time without work, and made again when there is some; default: never. */
  readonly closeAfterMs?: number | undefined;
}

const SIZE = `
  SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS n FROM pg_class
  WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relkind = 'r'`;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);

export class Connection {
  readonly target: Target;
  readonly environments = new EnvironmentCache();
  /** How long the last turn took; null: there was none. */
  lastTurnMs: number | null = null;
  private readonly patienceMs: number;
  private readonly clock: (() => number) | undefined;
  private readonly answerWithinMs: number;
  private client: pg.Client | null = null;
  private isReadOnly = false;
  private closed = false;
  private readonly closeAfterMs: number | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private readonly serverClock = new ServerClock();
  /** The end of the work that was asked for last. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(target: Target, options: ConnectionOptions) {
    this.target = target;
    this.patienceMs = options.patienceMs;
    this.clock = options.clock;
    this.answerWithinMs = options.answerWithinMs ?? ANSWER_WITHIN_MS;
    this.closeAfterMs = options.closeAfterMs;
  }

  /** For `now` in SQL: the injected time, or null for the server's own. */
  get givenNow(): number | null {
    return this.clock?.() ?? null;
  }

  /** The server's time as far as it is known without asking; a clock that is set here does not change it. */
  estimatedNow(): number {
    return this.clock?.() ?? this.serverClock.now();
  }

  /** `time` is the server's, in an answer to what was asked at `askedAtMs` by performance.now(). */
  learnTime(time: number, askedAtMs: number): void {
    this.serverClock.learn(time, askedAtMs);
  }

  /** A single statement. It is repeated after a lost connection, so doing it twice must be harmless. */
  query(text: string, values: readonly unknown[] = [], withinMs = this.answerWithinMs): Promise<Result> {
    return this.alone(() => this.patiently((client) => send(client, text, values, withinMs)));
  }

  /** The size of the tables, with their indexes. */
  async bytes(): Promise<number> {
    const { rows } = await this.query(SIZE, [this.target.schema]);
    return Number(rows[0]?.n);
  }

  /** Runs `work` on one consistent snapshot. */
  read<T>(work: (session: Session) => Promise<T>, withinMs = this.answerWithinMs): Promise<T> {
    return this.alone(() =>
      this.patiently((client) => this.transaction(new Transaction(client, 'read', withinMs), client, work)),
    );
  }

  /** Runs `work` in one transaction: done once when this resolves, undone when it throws. */
  write<T>(work: (session: Session) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const { withinMs = this.answerWithinMs, isRepeatable } = options;
    return this.alone(() =>
      this.patiently((client) => this.transaction(this.begin(client, withinMs, isRepeatable), client, work)),
    );
  }

  /** Fails on a server that only reads. */
  async checkWritable(): Promise<void> {
    await this.alone(() =>
      this.patiently(async () => {
        if (this.isReadOnly) throw this.readOnly();
      }),
    );
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.idleTimer);
    await Promise.race([this.last, sleep(CLOSE_WITHIN_MS)]); // what a server does not answer is not waited for
    await this.endClient();
  }

  private async endClient(): Promise<void> {
    const client = this.client;
    this.client = null;
    if (client) await endClient(client);
  }

  private alone<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.idleTimer);
    const result = this.last.then(work);
    const done: Promise<void> = result.catch(() => {}).then(() => this.rest(done));
    this.last = done;
    return result;
  }

  /** `done` is the end of this work: when nothing has been asked for since, the connection is idle. */
  private rest(done: Promise<unknown>): void {
    if (this.closeAfterMs === undefined || this.closed || done !== this.last || !this.client) return;
    this.idleTimer = setTimeout(() => void this.alone(() => this.endClient()), this.closeAfterMs).unref();
  }

  /** Tries until it is done or refused, or until our patience ends. */
  private async patiently<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const began = performance.now();
    const waited = (): number => performance.now() - began;
    for (let tries = 0, conflicts = 0; ; tries++) {
      try {
        return await work(await this.connected(this.patienceMs - waited()));
      } catch (error) {
        if (isLost(error) || isReadOnly(error)) this.drop(); // a new connection may find the new primary
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
    const { client, serverNow, askedAtMs, isReadOnly } = await openClient(this.target, timeoutMs);
    this.isReadOnly = isReadOnly;
    this.serverClock.start(serverNow, askedAtMs);
    client.on('end', () => {
      if (this.client === client) this.client = null;
    });
    this.client = client;
    return client;
  }

  /** Whatever the connection still holds on the server ends with it. */
  private drop(): void {
    if (this.client) destroy(this.client);
    this.client = null;
  }

  private async transaction<T>(
    transaction: Transaction,
    client: pg.Client,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    try {
      const result = await work(transaction);
      await transaction.ready();
      await this.commit(transaction);
      return result;
    } catch (error) {
      if (!isLost(error)) await this.rollBack(client);
      throw await transaction.causeOf(error);
    }
  }

  private async commit(transaction: Transaction): Promise<void> {
    try {
      await transaction.commit();
    } catch (error) {
      if (!isLost(error) || !transaction.isWrite) throw error;
      this.drop();
      if (!(await this.wasCommitted(transaction, error))) throw error; // undone, so it is tried again
    }
  }

  private async wasCommitted(transaction: Transaction, cause: unknown): Promise<boolean> {
    const began = performance.now();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const fate = await this.fateOf(transaction);
      if (fate === 'committed' || fate === 'undone') return fate === 'committed';
      const isTooLate = performance.now() - began + pauseMs > this.patienceMs;
      if (fate === 'unknown' || isTooLate) throw this.undecided(cause);
      await sleep(jittered(pauseMs));
    }
  }

  private async fateOf(transaction: Transaction): Promise<Fate> {
    try {
      const client = await this.connected(this.patienceMs);
      if (this.isReadOnly) throw this.readOnly(); // a standby may not have it yet
      return await transaction.fate(client, this.answerWithinMs);
    } catch (error) {
      if (!isLost(error) && !isReadOnly(error)) throw error;
      this.drop();
      return 'in progress';
    }
  }

  /** A standby is recognised before anything is sent: its own error would be about transaction ids. */
  private begin(client: pg.Client, withinMs: number, isRepeatable = false): Transaction {
    if (this.isReadOnly) throw this.readOnly();
    return new Transaction(client, 'write', withinMs, isRepeatable);
  }

  private readOnly(): QueueError {
    const problem = 'the server is a standby, or is set to read-only';
    return new QueueError('store_read_only', { path: this.target.name, problem });
  }

  private undecided(cause: unknown): QueueError {
    const problem = 'the connection was lost during a commit, so what was asked for may be done or not';
    return new QueueError('store_unreachable', { path: this.target.name, problem }, { cause });
  }

  private async rollBack(client: pg.Client): Promise<void> {
    if (client !== this.client) return; // it is gone, and what it had begun with it
    await send(client, 'ROLLBACK', [], this.answerWithinMs).catch(() => this.drop());
  }
}
