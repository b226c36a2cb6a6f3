// Receives what one job writes, through a pipe, or two when it wants its streams apart. (Two pipes lose the order in
// which the streams were written to; so there is one unless asked for.)
// A job that ends at once is read when it has ended; one that goes on is read as it writes. The end of the job counts,
// never the end of the pipe: a child that was left behind may hold it open for ever.

import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { MERGED, STDERR, STDOUT, type Stream } from '../../job/output/output-stamps.ts';
import { Leftovers } from './leftovers.ts';
import type { Pipe, Pipes } from './pipe.ts';
import { filesOfJobs } from './spare-files.ts';

/** `data` is only lent: it changes when the function has returned. */
export type Receive = (data: Buffer, stream: Stream) => void;

const READ_BYTES = 65_536;
/** At its end a job has left at most a pipe full of output, which is no more than this on any system. */
const LAST_READ_BYTES = 1_048_576;
/** One for all: each reader has passed the data on before the next one reads. */
const shared = Buffer.alloc(READ_BYTES);

export class Capture {
  private readonly channels: readonly Channel[];

  constructor(pipes: Pipes, isSplit: boolean, receive: Receive) {
    const streams = isSplit ? [STDOUT, STDERR] : [MERGED];
    const channels: Channel[] = [];
    this.channels = channels;
    try {
      for (const stream of streams as Stream[]) channels.push(new Channel(pipes, stream, receive));
    } catch (error) {
      for (const channel of channels) channel.close();
      throw error;
    }
  }

  /** For the job's stdout and stderr. */
  get outputs(): readonly [number, number] {
    const [first, second = first] = this.channels;
    return [first?.writeEnd ?? -1, second?.writeEnd ?? -1];
  }

  /** The job has its ends of the pipes, or was not started: ours are closed. */
  handedOver(): void {
    for (const channel of this.channels) channel.handOver();
  }

  /** From now on output is received as it comes. */
  listen(): void {
    for (const channel of this.channels) channel.listen();
  }

  /** Receives no more, whatever the job does. */
  close(): void {
    for (const channel of this.channels) channel.close();
  }

  /** The job has ended: receives what is left, and no more. */
  end(): void {
    for (const channel of this.channels) channel.end();
  }
}

class Channel {
  readonly writeEnd: number;
  private readonly pipes: Pipes;
  private readonly stream: Stream;
  private readonly receive: Receive;
  private readonly readEnd: number;
  private socket: Socket | null = null;
  private isHandedOver = false;
  private wasClosed = false;

  constructor(pipes: Pipes, stream: Stream, receive: Receive) {
    const pipe: Pipe = pipes.open();
    this.pipes = pipes;
    this.stream = stream;
    this.receive = receive;
    this.readEnd = pipe.readEnd;
    this.writeEnd = pipe.writeEnd;
    try {
      filesOfJobs.add();
    } catch (error) {
      closeSync(pipe.readEnd);
      closeSync(pipe.writeEnd);
      throw error;
    }
  }

  private get isClosed(): boolean {
    return this.wasClosed || (this.socket?.destroyed ?? false);
  }

  handOver(): void {
    if (!this.isHandedOver) closeSync(this.writeEnd);
    this.isHandedOver = true;
  }

  listen(): void {
    if (this.isClosed || this.socket) return;
    const { Socket } = process.getBuiltinModule('node:net');
    const callback = (count: number): boolean => {
      if (!this.isClosed) this.receive(shared.subarray(0, count), this.stream);
      return true;
    };
    const onread = { buffer: shared, callback };
    this.socket = new Socket({ fd: this.readEnd, readable: true, writable: false, onread } as object);
    this.socket.on('error', () => {}); // it is closed then
  }

  end(): void {
    this.handOver(); // a writer of our own would look like a child that was left behind
    this.socket?.pause();
    if (this.isClosed || this.readRest()) this.close();
    else leftovers.add({ drain: () => this.drain(), close: () => this.close() });
  }

  close(): void {
    this.handOver();
    if (this.wasClosed) return;
    this.wasClosed = true;
    filesOfJobs.remove();
    if (this.socket) this.socket.destroy();
    else closeSync(this.readEnd);
  }

  /** Returns whether nobody can write any more. */
  private readRest(): boolean {
    for (let total = 0; total < LAST_READ_BYTES; ) {
      const count = this.pipes.read(this.readEnd, shared);
      if (count <= 0) return count === 0;
      this.receive(shared.subarray(0, count), this.stream);
      total += count;
    }
    return false;
  }

  /** Reads a pipe full to nowhere. Returns whether somebody can still write. */
  private drain(): boolean {
    return !this.isClosed && this.pipes.read(this.readEnd, shared) !== 0;
  }
}

const leftovers = new Leftovers();
