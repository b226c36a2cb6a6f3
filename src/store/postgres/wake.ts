// Wakes idle workers: a notification on the schema's channel, sent with the commit of a change.
// A listener has a separate connection, which is checked periodically. A notification is a hint and may be lost; workers also
// poll slowly.

import type pg from 'pg';
import { destroy, endClient, openClient } from './session/client.ts';
import type { Connection, Session } from './session/connection.ts';
import { channelOf, quotedName } from './session/names.ts';
import type { Target } from './session/target.ts';

const PING_EVERY_MS = 15_000;
const PING_WITHIN_MS = 5_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

const IS_READ_ONLY = "SELECT current_setting('transaction_read_only')::boolean AS is_read_only";

/** Listeners are notified once this transaction is committed. */
export function wakeWorkers(connection: Connection, session: Session): void {
  session.send(`SELECT pg_notify($1, '')`, [channelOf(connection.target.schema)]);
}

/** Transactions with the same snapshot see the same rows. A transaction that only reads does not change the mark. */
export async function changeMark(connection: Connection): Promise<string> {
  const { rows } = await connection.query('SELECT pg_current_snapshot()::text AS mark');
  return String(rows[0]?.mark);
}

/** Calls `onNotice` for each notification, and when some may have been missed, until the returned function is called. */
export function listen(target: Target, onNotice: () => void): () => void {
  const listener = new Listener(target, onNotice);
  listener.open();
  return () => listener.close();
}

class Listener {
  private readonly target: Target;
  private readonly onNotice: () => void;
  private client: pg.Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private pauseMs = FIRST_PAUSE_MS;
  private closed = false;

  constructor(target: Target, onNotice: () => void) {
    this.target = target;
    this.onNotice = onNotice;
  }

  async open(): Promise<void> {
    try {
      const { client } = await openClient(this.target, this.target.connectTimeoutMs);
      if (this.closed) return void endClient(client);
      this.client = client;
      client.on('notification', () => this.notice());
      client.on('end', () => this.lose(client));
      await client.query(`LISTEN ${quotedName(channelOf(this.target.schema))}`);
      this.pauseMs = FIRST_PAUSE_MS;
      this.notice(); // for changes before LISTEN
      this.after(PING_EVERY_MS, () => this.ping(client));
    } catch {
      this.lose(this.client);
    }
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    if (this.client) endClient(this.client);
  }

  private notice(): void {
    if (!this.closed) this.onNotice();
  }

  /** A dead connection looks like one without notifications. */
  private async ping(client: pg.Client): Promise<void> {
    try {
      const query = { text: IS_READ_ONLY, query_timeout: PING_WITHIN_MS } as pg.QueryConfig;
      const { rows } = await client.query(query);
      if (rows[0].is_read_only) return this.lose(client); // no client can enqueue there any more
      this.after(PING_EVERY_MS, () => this.ping(client));
    } catch {
      this.lose(client);
    }
  }

  /** Tries again after growing, random pauses, so that not all clients reconnect at the same time. */
  private lose(client: pg.Client | null): void {
    if (this.closed || client !== this.client) return;
    this.client = null;
    if (client) destroy(client);
    this.after(this.pauseMs * (0.5 + Math.random() / 2), () => this.open());
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }

  private after(ms: number, work: () => void): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = this.closed ? null : setTimeout(work, ms).unref();
  }
}
