// All event streams of the server. While there are any, it polls the store a few times per second at most, once for all
// streams, and wakes them. Otherwise it does nothing.

import { randomBytes } from 'node:crypto';
import { QueueError } from '../../errors/errors.ts';
import type { Queue } from '../../queue/queue.ts';
import type { Limits } from '../http/server-limits.ts';
import { problemOf } from '../http/problem.ts';
import { Board, type BulkProgress, type Snapshot } from './board.ts';
import { EventStream, type EventProducer } from './event-stream.ts';
import { OutputReader } from './output-reader.ts';
import { PageEvents, type PageWish } from './page-events.ts';
import { eventText } from './sse.ts';

/** Poll intervals for a file and for a database server. */
const LOOK_MS = 250;
const ASK_MS = 1000;
const CHECK_MS = 1000;

const NO_TROUBLE: Snapshot = { token: '', event: eventText('trouble', null) };

export interface Listener {
  /** The account or address that the stream counts against. */
  readonly account: string;
  /** Checked periodically, because the client may have lost its access. */
  readonly isStillAllowed: () => Promise<boolean>;
  readonly hangUp: () => void;
}

export interface HubParts {
  readonly queue: Queue;
  readonly bulk: BulkProgress;
  readonly limits: Limits;
  readonly log: (line: string) => void;
}

interface Open {
  readonly stream: EventStream;
  readonly producer: EventProducer;
  readonly listener: Listener;
}

export class Hub {
  private readonly queue: Queue;
  private readonly limits: Limits;
  private readonly log: (line: string) => void;
  private readonly board: Board;
  private readonly readers = new Map<string, OutputReader>();
  private readonly open = new Set<Open>();
  private trouble = NO_TROUBLE;
  private timers: NodeJS.Timeout[] = [];
  private stopListening: () => void = () => {};
  private next: NodeJS.Timeout | undefined;
  private isLooking = false;
  private isAskedAgain = false;
  private wasWoken = false;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor({ queue, bulk, limits, log }: HubParts) {
    this.queue = queue;
    this.limits = limits;
    this.log = log;
    this.board = new Board(queue, bulk, randomBytes(4).toString('hex'));
  }

  /** Opens a stream of the topics that the client asked for. Throws too_busy. */
  page(wish: PageWish, listener: Listener): ReadableStream<Uint8Array> {
    const output = (id: string): OutputReader => this.output(id);
    const producer = new PageEvents({ board: this.board, trouble: () => this.trouble, output }, wish);
    return this.stream(producer, listener);
  }

  /** Opens any other stream, which is woken after changes. Throws too_busy. */
  stream(producer: EventProducer, listener: Listener): ReadableStream<Uint8Array> {
    const own = [...this.open].filter((one) => one.listener.account === listener.account).length;
    if (this.open.size >= this.limits.streams || own >= this.limits.streamsOfOne) throw new QueueError('too_busy');
    const one: Open = {
      producer,
      listener,
      stream: new EventStream(producer, {
        limits: this.limits,
        hangUp: listener.hangUp,
        onBegin: () => this.enter(one),
        onEnd: () => this.leave(one),
        log: this.log,
      }),
    };
    return one.stream.body;
  }

  /** Shared by all clients that follow the output of this job. */
  output(id: string): OutputReader {
    const reader = this.readers.get(id) ?? new OutputReader(this.queue, id);
    if (this.open.size > 0) this.readers.set(id, reader);
    return reader;
  }

  /** Ports every stream. */
  close(): void {
    for (const { stream } of this.open) stream.end();
  }

  private enter(one: Open): void {
    this.open.add(one);
    if (this.open.size === 1) this.start();
    this.lookIn(0);
  }

  private leave(one: Open): void {
    if (this.open.delete(one) && this.open.size === 0) this.stop();
  }

  private start(): void {
    this.board.clear(); // a poll that was running when the last client left may have filled it
    this.stopListening = this.queue.onWake(() => {
      this.wasWoken = true;
      this.lookIn(0);
    });
    this.timers = [
      setInterval(() => this.check(), CHECK_MS),
      setInterval(() => void this.recheck(), this.limits.aliveEveryMs),
    ];
  }

  private stop(): void {
    this.stopListening();
    for (const timer of this.timers) clearInterval(timer);
    clearTimeout(this.next);
    this.next = undefined;
    this.readers.clear();
    this.board.clear();
    this.trouble = NO_TROUBLE;
  }

  private check(): void {
    for (const { stream } of this.open) stream.check();
  }

  /** Ports the streams of clients that have lost their access. */
  async recheck(): Promise<void> {
    for (const { stream, listener } of this.open) if (!(await listener.isStillAllowed())) stream.end();
  }

  /** Schedules a poll in `ms`, but keeps the minimum interval between polls. */
  private lookIn(ms: number): void {
    const pauseMs = this.lookedAt + LOOK_MS - performance.now();
    clearTimeout(this.next);
    this.next = setTimeout(() => void this.look(), Math.max(ms, pauseMs, 0));
  }

  private async look(): Promise<void> {
    this.isAskedAgain = this.isLooking;
    if (this.isLooking || this.open.size === 0) return;
    this.isLooking = true;
    this.lookedAt = performance.now();
    const slow = setTimeout(() => this.reportTrouble(this.slowStore()), this.limits.storeWithinMs);
    try {
      await this.refresh();
    } catch (error) {
      this.fail(error);
    } finally {
      clearTimeout(slow);
      this.isLooking = false;
    }
    if (this.open.size > 0) this.lookIn(this.isAskedAgain ? 0 : this.queue.spansHosts ? ASK_MS : LOOK_MS);
  }

  private async refresh(): Promise<void> {
    const { wasWoken } = this;
    this.wasWoken = false;
    const producers = [...this.open].map(({ producer }) => producer);
    const hasChanged = await this.board.refresh(new Set(producers.flatMap(({ keys }) => keys)), wasWoken);
    const followed = new Set(producers.flatMap(({ outputs }) => outputs));
    for (const [id, reader] of this.readers) {
      if (followed.has(id)) reader.refresh(hasChanged);
      else this.readers.delete(id);
    }
    this.trouble = NO_TROUBLE;
    for (const { stream } of this.open) stream.wake();
  }

  private fail(error: unknown): void {
    if (this.open.size === 0) return; // the queue may have been closed
    if (!(error instanceof QueueError)) this.log(String((error as Error).stack ?? error));
    this.reportTrouble(error);
  }

  private reportTrouble(error: unknown): void {
    const { code, detail, hint } = problemOf(error);
    if (this.trouble.token === code) return;
    const since = new Date().toISOString();
    this.trouble = { token: code, event: eventText('trouble', { code, detail, hint, since }) };
    for (const { stream } of this.open) stream.wake();
  }

  private slowStore(): QueueError {
    return new QueueError('store_slow', { seconds: this.limits.storeWithinMs / 1000 });
  }
}
