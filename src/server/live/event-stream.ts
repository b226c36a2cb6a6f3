// One stream to one client. It is pulled: the next events are put together when the client has taken the last ones, so a slow
// reader gets fewer and newer ones, and holds no more memory than one of them. One that takes nothing at all is cut off.

import { QueueError } from '../../errors/errors.ts';
import type { Limits } from '../http/server-limits.ts';
import { ALIVE, retryText } from './sse.ts';

/** What a client is told. */
export interface Teller {
  /** The snapshots that it needs. */
  readonly keys: readonly string[];
  /** The jobs whose output it follows. */
  readonly outputs: readonly string[];
  /** What there is to tell now; '': nothing; null: that was all. */
  tell(): Promise<string | null>;
}

export interface StreamOptions {
  readonly limits: Pick<Limits, 'unreadWithinMs' | 'aliveEveryMs'>;
  /** Ends the connection, whatever is still on its way. */
  readonly hangUp: () => void;
  /** Somebody reads it: until then it costs nothing. */
  readonly onBegin: () => void;
  readonly onEnd: () => void;
  /** Told what went wrong inside. */
  readonly log: (line: string) => void;
}

export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  private readonly teller: Teller;
  private readonly options: StreamOptions;
  private readonly encoder = new TextEncoder();
  private ring: () => void = () => {};
  private hasRung = false;
  private isOver = false;
  private hasBegun = false;
  /** When something was handed over that is not taken yet; null: all is taken. */
  private unreadSince: number | null = null;
  private lastToldAt = performance.now();

  constructor(teller: Teller, options: StreamOptions) {
    this.teller = teller;
    this.options = options;
    this.body = new ReadableStream(
      { pull: (controller) => this.pull(controller), cancel: () => this.end() },
      { highWaterMark: 0 },
    );
  }

  /** There may be something to tell. */
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

  /** To be called now and then. */
  check(): void {
    this.ring(); // it may be time for a sign of life
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
    this.unreadSince = this.lastToldAt = performance.now();
    controller.enqueue(this.encoder.encode(text));
  }

  private async nextText(): Promise<string | null> {
    if (!this.hasBegun) return this.begin();
    while (!this.isOver) {
      this.hasRung = false;
      const text = await this.told();
      if (text !== '') return text;
      if (performance.now() - this.lastToldAt >= this.options.limits.aliveEveryMs) return ALIVE;
      if (!this.hasRung && !this.isOver) await this.rung();
    }
    return null;
  }

  /** At once, so that the client knows that it is connected. */
  private begin(): string {
    this.hasBegun = true;
    this.options.onBegin();
    return retryText();
  }

  /** What the store cannot answer now is asked again later; the board reports the trouble. */
  private async told(): Promise<string | null> {
    try {
      return await this.teller.tell();
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
