// What an attempt wrote, as its readers see it, wherever it is stored. Offsets count the bytes that the attempt wrote.

import type { Attempt } from '../job/job.ts';
import type { OutputPart } from '../job/output/output.ts';
import type { Stamp } from '../job/output/output-stamps.ts';
import type { Store } from '../store/store.ts';
import { type Stretch, stretchesOf } from './stretches.ts';

const READ_BYTES = 65_536;
/** Fewer requests to a server. */
const READ_FROM_SERVER_BYTES = 1_048_576;

/** What it takes to find an output. */
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

  /** The next bytes at this offset, or after it if those were left out; none at the end. */
  abstract read(from: number, length: number): Promise<OutputPart>;

  /** How many bytes it has written by now. */
  abstract size(): Promise<number>;

  /** When and on which stream its parts came, as far as that is known here. */
  abstract get stamps(): readonly Stamp[];

  /** From a version that recorded nothing: the START and END lines are part of the text. */
  get isPlainText(): boolean {
    return this.attempt.output === null;
  }

  /** Whether the times and streams of the output are known: not always for a job that runs elsewhere. */
  get knowsStreams(): boolean {
    return this.attempt.endedAt !== null || this.stamps.length > 0;
  }

  /** All of it from an offset on. */
  async *parts(from = 0): AsyncGenerator<OutputPart> {
    const length = this.source.spansHosts ? READ_FROM_SERVER_BYTES : READ_BYTES;
    for (let at = from; ; ) {
      const part = await this.read(at, length);
      if (part.data.length === 0) return;
      yield part;
      at = part.from + part.data.length;
    }
  }

  /** All of it from an offset on, with the time and the stream of each stretch. */
  async *stretches(from = 0): AsyncGenerator<Stretch> {
    for await (const part of this.parts(from)) yield* this.stretchesIn(part);
  }

  stretchesIn(part: OutputPart): Iterable<Stretch> {
    return stretchesOf(part, this.stamps, this.attempt.endedAt ?? this.source.now());
  }
}
