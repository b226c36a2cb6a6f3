// One event stream to one client. Events are assembled when the client has read the previous ones, so a slow client
// gets fewer and newer events and costs no more memory. A client that reads nothing is disconnected.

import { QueueError } from '../../errors/errors.ts';
import type { Limits } from '../http/server-limits.ts';
import { ALIVE, retryText } from './sse.ts';

/** Assembles the events for a client. */
export interface EventProducer {
  /** Keys of the snapshots that it needs. */
  readonly keys: readonly string[];
  /** IDs of the jobs whose output it follows. */
  readonly outputs: readonly string[];
  /** Returns the current events, '' if there are none, or null at the end. */
  next(): Promise<string | null>;
}

export interface StreamOptions {
  readonly limits: Pick<Limits, 'unreadWithinMs' | 'aliveEveryMs'>;
  /** Closes the connection at once. */
  readonly hangUp: () => void;
  /** Called at the first read; an unread stream costs nothing. */
  readonly onBegin: () => void;
  readonly onEnd: () => void;
  /** Logs internal errors. */
  readonly log: (line: string) => void;
}

export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  private readonly producer: EventProducer;
  private readonly options: StreamOptions;
  private readonly encoder = new TextEncoder();
  private ring: () => void = () => {};
  private hasRung = false;
  private isOver = false;
  private hasBegun = false;
  /** Time of the oldest unread event; null if all were read. */
  private unreadSince: number | null = null;
  private lastSentAt = performance.now();

  constructor(producer: EventProducer, options: StreamOptions) {
    this.producer = producer;
    this.options = options;
    this.body = new ReadableStream(
      { pull: (controller) => this.pull(controller), cancel: () => this.end() },
      { highWaterMark: 0 },
    );
  }

  /** Call when there may be new events. */
  wake(): void {
    this.hasRung = true;
    this.ring();
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.options.onEnd();
    this.ring();
  }

  /** Call periodically. */
  check(): void {
    this.ring(); // a keep-alive may be due
    const unreadMs = this.unreadSince === null ? 0 : performance.now() - this.unreadSince;
    if (unreadMs < this.options.limits.unreadWithinMs) return;
    this.end();
    this.options.hangUp();
  }

  private async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.unreadSince = null;
    const text = await this.nextText();
    if (text === null) {
      this.end();
      return controller.close();
    }
    this.unreadSince = this.lastSentAt = performance.now();
    controller.enqueue(this.encoder.encode(text));
  }

  private async nextText(): Promise<string | null> {
    if (!this.hasBegun) return this.begin();
    while (!this.isOver) {
      this.hasRung = false;
      const text = await this.produced();
      if (text !== '') return text;
      if (performance.now() - this.lastSentAt >= this.options.limits.aliveEveryMs) return ALIVE;
      if (!this.hasRung && !this.isOver) await this.rung();
    }
    return null;
  }

  /** Sent at once, so that the client sees that it is connected. */
  private begin(): string {
    this.hasBegun = true;
    this.options.onBegin();
    return retryText();
  }

  /** Retries later after an error of the store, which the hub reports to all clients. */
  private async produced(): Promise<string | null> {
    try {
      return await this.producer.next();
    } catch (error) {
      if (error instanceof QueueError) return '';
      this.options.log(String((error as Error).stack ?? error));
      return null;
    }
  }

  private rung(): Promise<void> {
    return new Promise((resolve) => {
      this.ring = resolve;
    });
  }
}
