// Waking idle workers: a notice on the schema's channel, sent with the commit of a change they should look at.
// It is heard on a connection of its own, which is asked now and then whether it is still there. A notice is a hint
// and may be lost; a slow poll stands beneath it.

import type pg from 'pg';
import { destroy, endClient, openClient } from './client.ts';
import type { Connection, Session } from './connection.ts';
import { channelOf, quotedName } from './names.ts';
import type { Target } from './target.ts';

const PING_EVERY_MS = 15_000;
const PING_WITHIN_MS = 5_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

/** Whoever listens hears of this transaction once it is committed. */
export function tellAll(connection: Connection, session: Session): void {
  session.tell(`SELECT pg_notify($1, '')`, [channelOf(connection.target.schema)]);
}

/** Calls `listener` on every notice, and whenever some may have been missed, until the returned function is called. */
export function listen(target: Target, listener: () => void): () => void {
  const ear = new Ear(target, listener);
  ear.open();
  return () => ear.close();
}

class Ear {
  private readonly target: Target;
  private readonly listener: () => void;
  private client: pg.Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private pauseMs = FIRST_PAUSE_MS;
  private closed = false;

  constructor(target: Target, listener: () => void) {
    this.target = target;
    this.listener = listener;
  }

  async open(): Promise<void> {
    try {
      const { client } = await openClient(this.target, this.target.connectTimeoutMs);
      if (this.closed) return void endClient(client);
      this.client = client;
      client.on('notification', () => this.hear());
      client.on('end', () => this.lose(client));
      await client.query(`LISTEN ${quotedName(channelOf(this.target.schema))}`);
      this.pauseMs = FIRST_PAUSE_MS;
      this.hear(); // of what happened before we listened
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

  private hear(): void {
    if (!this.closed) this.listener();
  }

  /** A connection that swallows what it is sent looks like one on which nothing happens. */
  private async ping(client: pg.Client): Promise<void> {
    try {
      await client.query({ text: 'SELECT 1', query_timeout: PING_WITHIN_MS } as pg.QueryConfig);
      this.after(PING_EVERY_MS, () => this.ping(client));
    } catch {
      this.lose(client);
    }
  }

  /** Tried again ever more slowly, and by chance, so that not all come at once to a server that is back. */
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
