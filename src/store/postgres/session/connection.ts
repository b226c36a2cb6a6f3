// A connection that is opened when needed, reopened when lost, and used by one piece of work at a time.
// Callers see a lost connection only if it cannot be reopened in time: reads are repeated, and if the connection is lost
// during COMMIT, the server is asked whether the transaction was committed.

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
  execute,
  type Result,
  type Session,
  Transaction,
  type WriteOptions,
} from './transaction.ts';

export { LONG_MS, type Result, type Session };

/** Longer than the server's own timeout, so that the server can answer first. No answer means that it is gone. */
const ANSWER_WITHIN_MS = 15_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;
const CONFLICTS_AT_MOST = 10;
const CLOSE_WITHIN_MS = 1000;

export interface ConnectionOptions {
  readonly patienceMs: number;
  readonly clock?: (() => number) | undefined;
  /** Time to wait for the result of an ordinary statement before the connection is closed. */
  readonly answerWithinMs?: number | undefined;
  /** Idle time after which the connection is closed until it is needed again; default: never. */
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
  /** Duration of the last turn; null before the first one. */
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
  /** Resolves when the most recently requested work ends. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(target: Target, options: ConnectionOptions) {
    this.target = target;
    this.patienceMs = options.patienceMs;
    this.clock = options.clock;
    this.answerWithinMs = options.answerWithinMs ?? ANSWER_WITHIN_MS;
    this.closeAfterMs = options.closeAfterMs;
  }

  /** The parameter of `now` in SQL: the injected time, or null for the server's clock. */
  get givenNow(): number | null {
    return this.clock?.() ?? null;
  }

  /** The server's time, estimated without asking. Changing this machine's clock does not affect it. */
  estimatedNow(): number {
    return this.clock?.() ?? this.serverClock.now();
  }

  /** `time` is the server's time in the answer to a query sent at `askedAtMs`, by performance.now(). */
  learnTime(time: number, askedAtMs: number): void {
    this.serverClock.learn(time, askedAtMs);
  }

  /** Runs a single statement. It is repeated after a lost connection, so running it twice must be harmless. */
  query(text: string, values: readonly unknown[] = [], withinMs = this.answerWithinMs): Promise<Result> {
    return this.serially(() => this.retrying((client) => execute(client, text, values, withinMs)));
  }

  /** The size of the tables including their indexes. */
  async bytes(): Promise<number> {
    const { rows } = await this.query(SIZE, [this.target.schema]);
    return Number(rows[0]?.n);
  }

  /** Runs `work` on one consistent snapshot. */
  read<T>(work: (session: Session) => Promise<T>, withinMs = this.answerWithinMs): Promise<T> {
    return this.serially(() =>
      this.retrying((client) => this.transaction(new Transaction(client, 'read', withinMs), client, work)),
    );
  }

  /** Runs `work` in one transaction: done once if the promise resolves, undone if it rejects. */
  write<T>(work: (session: Session) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const { withinMs = this.answerWithinMs, isRepeatable } = options;
    return this.serially(() =>
      this.retrying((client) => this.transaction(this.begin(client, withinMs, isRepeatable), client, work)),
    );
  }

  /** Throws if the server is read-only. */
  async checkWritable(): Promise<void> {
    await this.serially(() =>
      this.retrying(async () => {
        if (this.isReadOnly) throw this.readOnly();
      }),
    );
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.idleTimer);
    await Promise.race([this.last, sleep(CLOSE_WITHIN_MS)]); // work that the server does not answer is abandoned
    await this.endClient();
  }

  private async endClient(): Promise<void> {
    const client = this.client;
    this.client = null;
    if (client) await endClient(client);
  }

  /** Runs the work after all work that was requested before. */
  private serially<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.idleTimer);
    const result = this.last.then(work);
    const done: Promise<void> = result.catch(() => {}).then(() => this.closeWhenIdle(done));
    this.last = done;
    return result;
  }

  /** `done` is the end of this work: if no work was requested since, the connection is idle. */
  private closeWhenIdle(done: Promise<unknown>): void {
    if (this.closeAfterMs === undefined || this.closed || done !== this.last || !this.client) return;
    this.idleTimer = setTimeout(() => void this.serially(() => this.endClient()), this.closeAfterMs).unref();
  }

  /** Tries until the work is done or rejected, or until `patienceMs` is over. */
  private async retrying<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
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
        await sleep(Math.min(pauseMs, leftMs)); // the last try is at the end of patienceMs, not before
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

  /** The server releases everything that the connection still holds. */
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
      if (!(await this.wasCommitted(transaction, error))) throw error; // undone, so the work is tried again
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

  /** Checks for a standby before anything is sent: its own error would be about transaction IDs. */
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
    if (client !== this.client) return; // the connection is gone, and its transaction with it
    await execute(client, 'ROLLBACK', [], this.answerWithinMs).catch(() => this.drop());
  }
}
