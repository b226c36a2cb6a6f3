// Output of an attempt for readers, wherever it is stored. Offsets count the bytes that the attempt wrote.

import type { Attempt } from '../job/job.ts';
import type { OutputPart } from '../job/output/output.ts';
import type { Stamp } from '../job/output/output-stamps.ts';
import type { Store } from '../store/store.ts';
import { type Stretch, stretchesOf } from './stretches.ts';

const READ_BYTES = 65_536;
/** Larger, to save requests to a server. */
const READ_FROM_SERVER_BYTES = 1_048_576;

/** Data needed to find an output. */
export type Written = Pick<Attempt, 'run' | 'logPath' | 'output' | 'endedAt'>;

export abstract class ReadableOutput<Known extends Written = Attempt> {
  readonly jobId: string;
  attempt: Known;
  private readonly source: Pick<Store, 'spansHosts' | 'now'>;

  constructor(source: Pick<Store, 'spansHosts' | 'now'>, jobId: string, attempt: Known) {
    this.source = source;
    this.jobId = jobId;
    this.attempt = attempt;
  }

  /** Reads bytes at this offset, or after it if those were dropped. Returns none at the end. */
  abstract read(from: number, length: number): Promise<OutputPart>;

  /** Number of bytes written so far. */
  abstract size(): Promise<number>;

  /** Times and streams of its parts, as far as they are known here. */
  abstract get stamps(): readonly Stamp[];

  /** True for versions that recorded nothing: the text includes the START and END lines. */
  get isPlainText(): boolean {
    return this.attempt.output === null;
  }

  /** Whether times and streams are known. They may be unknown while a job runs on another host. */
  get knowsStreams(): boolean {
    return this.attempt.endedAt !== null || this.stamps.length > 0;
  }

  /** Yields the output from an offset on. */
  async *parts(from = 0): AsyncGenerator<OutputPart> {
    const length = this.source.spansHosts ? READ_FROM_SERVER_BYTES : READ_BYTES;
    for (let at = from; ; ) {
      const part = await this.read(at, length);
      if (part.data.length === 0) return;
      yield part;
      at = part.from + part.data.length;
    }
  }

  /** Yields the output from an offset on, with the time and stream of each stretch. */
  async *stretches(from = 0): AsyncGenerator<Stretch> {
    for await (const part of this.parts(from)) yield* this.stretchesIn(part);
  }

  stretchesIn(part: OutputPart): Iterable<Stretch> {
    return stretchesOf(part, this.stamps, this.attempt.endedAt ?? this.source.now());
  }
}
