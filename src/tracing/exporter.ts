// Sends items in batches in the background. Undeliverable batches are dropped after some retries, and excess items are
// dropped at once: memory and time are bounded, and callers wait only briefly, at the end.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Poster } from './post.ts';
import { type Verdict, verdictOn } from './verdict.ts';

export interface ExporterOptions<T> {
  readonly delayMs: number;
  readonly batchSize: number;
  readonly queueSize: number;
  readonly poster: Poster;
  /** Returns the body of a request. */
  readonly write: (batch: readonly T[]) => Promise<string>;
  readonly log: (line: string) => void;
  /** Delay before the first retry; doubled for each further one. */
  readonly retryMs?: number;
}

const MOST_TRIES = 5;
const RETRY_MS = 1000;

export class Exporter<T> {
  private readonly options: ExporterOptions<T>;
  private waiting: T[] = [];
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | null = null;
  /** Items lost since the last logged problem. */
  private lost = 0;
  private inTrouble = false;
  private readonly ending = new AbortController();

  constructor(options: ExporterOptions<T>) {
    this.options = options;
  }

  add(item: T): void {
    const { queueSize, batchSize, delayMs } = this.options;
    if (this.waiting.length >= queueSize) {
      this.lose(1, 'spans arrive faster than they can be sent');
      return;
    }
    this.waiting.push(item);
    if (this.waiting.length >= batchSize) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), delayMs).unref();
  }

  /** Sends the remaining items within this time and drops the rest. */
  async end(withinMs: number): Promise<void> {
    this.ending.abort();
    this.flush();
    const tooLate = new AbortController();
    const deadline = sleep(withinMs, 'late', { signal: tooLate.signal }).catch(() => {});
    const isLate = (await Promise.race([this.sending, deadline])) === 'late';
    tooLate.abort();
    this.options.poster.close();
    if (isLate) this.lose(this.waiting.length, `the final export took more than ${withinMs} ms`);
    this.waiting = [];
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting.length > 0) this.sending ??= this.sendAll();
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.options.batchSize);
      try {
        await this.deliver(await this.options.write(batch), batch.length);
      } catch (error) {
        this.lose(batch.length, (error as Error).message);
      }
    }
    this.sending = null;
  }

  private async deliver(body: string, count: number): Promise<void> {
    for (let tries = 1; ; tries++) {
      const verdict = await this.try(body);
      if (verdict.kind === 'accepted') return this.accepted(verdict);
      const isLast = verdict.kind === 'rejected' || tries >= MOST_TRIES || this.ending.signal.aborted;
      if (isLast) return this.lose(count, verdict.problem);
      if (tries > 1) this.say(verdict.problem); // the first failure may be a connection that was being closed
      await this.pause(verdict.afterMs ?? this.backoffMs(tries));
    }
  }

  private async try(body: string): Promise<Verdict> {
    try {
      return verdictOn(await this.options.poster.post(body), Date.now());
    } catch (error) {
      return { kind: 'later', afterMs: null, problem: (error as Error).message };
    }
  }

  /** Randomized, so that clients of the same collector do not retry at the same time. */
  private backoffMs(tries: number): number {
    return (this.options.retryMs ?? RETRY_MS) * 2 ** (tries - 1) * (0.5 + Math.random());
  }

  /** The end interrupts the pause for one last attempt. */
  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.ending.signal, ref: false }).catch(() => {});
  }

  private accepted({ rejected, problem }: Extract<Verdict, { kind: 'accepted' }>): void {
    if (problem !== null) this.lose(rejected, problem);
    if (problem !== null || !this.inTrouble) return;
    const lost = this.lost > 0 ? `; ${this.lost} spans were lost` : '';
    this.options.log(`trace export resumed${lost}`);
    [this.inTrouble, this.lost] = [false, 0];
  }

  private lose(count: number, problem: string): void {
    this.lost += count;
    this.say(problem);
  }

  /** Logs a problem once until it is resolved. */
  private say(problem: string): void {
    if (this.inTrouble) return;
    this.inTrouble = true;
    this.options.log(`cannot export traces; jobs continue without them: ${problem}`);
  }
}
