// Captures a job's output through one pipe, or two for separate streams. (Two pipes lose the order between the streams,
// so one is the default.) The output of a short job is read when it has ended, that of a longer one as it arrives.
// Capture ends with the job, not with the pipe, which a remaining child may hold open forever.

import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { MERGED, STDERR, STDOUT, type Stream } from '../../job/output/output-stamps.ts';
import { Leftovers } from './leftovers.ts';
import type { Pipe, Pipes } from './pipe.ts';
import { filesOfJobs } from './spare-files.ts';

/** The receiver must not keep `data`, which is reused. */
export type Receive = (data: Buffer, stream: Stream) => void;

const READ_BYTES = 65_536;
/** A finished job leaves at most one full pipe of output, which is smaller than this on all systems. */
const LAST_READ_BYTES = 1_048_576;
/** Shared buffer: each reader passes its data on before the next one reads. */
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

  /** File descriptors for the job's stdout and stderr. */
  get outputs(): readonly [number, number] {
    const [first, second = first] = this.channels;
    return [first?.writeEnd ?? -1, second?.writeEnd ?? -1];
  }

  /** Closes our copies of the job's pipe ends, after the start or its failure. */
  handedOver(): void {
    for (const channel of this.channels) channel.handOver();
  }

  /** Receives output as it arrives from now on. */
  listen(): void {
    for (const channel of this.channels) channel.listen();
  }

  /** Stops receiving, whatever the job does. */
  close(): void {
    for (const channel of this.channels) channel.close();
  }

  /** Receives the remaining output of a finished job, then stops. */
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
    this.socket.on('error', () => {}); // followed by a close
  }

  end(): void {
    this.handOver(); // our own write end would look like a remaining child
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

  /** Returns true if no process can write any more. */
  private readRest(): boolean {
    for (let total = 0; total < LAST_READ_BYTES; ) {
      const count = this.pipes.read(this.readEnd, shared);
      if (count <= 0) return count === 0;
      this.receive(shared.subarray(0, count), this.stream);
      total += count;
    }
    return false;
  }

  /** Discards up to one full pipe. Returns true if a process can still write. */
  private drain(): boolean {
    return !this.isClosed && this.pipes.read(this.readEnd, shared) !== 0;
  }
}

const leftovers = new Leftovers();
