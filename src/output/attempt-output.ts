// What an attempt wrote, wherever it is: in the journal of a job that runs here, in its log file, or in the store.
// Offsets stay the same in all of them, so a reader does not notice when it changes place halfway.

import type { Attempt } from '../job/job.ts';
import type { OutputPart } from '../job/output/output.ts';
import type { Stamp } from '../job/output/output-stamps.ts';
import { readAt, withFile } from '../system/files.ts';
import { availableIn, stampsIn, readJournal } from '../process/output/journal-files.ts';
import { readLog } from '../process/output/log-file.ts';
import type { Store } from '../store/store.ts';
import { type Stretch, stretchesOf } from './stretches.ts';

const READ_BYTES = 65_536;
/** Fewer questions to a server. */
const READ_FROM_SERVER_BYTES = 1_048_576;

/** What it takes to find an output. */
export type Written = Pick<Attempt, 'run' | 'logPath' | 'output' | 'endedAt'>;

export class AttemptOutput<Known extends Written = Attempt> {
  readonly jobId: string;
  attempt: Known;
  private readonly store: Store;

  constructor(store: Store, jobId: string, attempt: Known) {
    this.store = store;
    this.jobId = jobId;
    this.attempt = attempt;
  }

  /** From a version that recorded nothing: the START and END lines are part of the text. */
  get isPlainText(): boolean {
    return this.attempt.output === null;
  }

  /** Of a job that runs elsewhere it is not known yet when and on which stream its output came. */
  get knowsStreams(): boolean {
    return this.attempt.endedAt !== null || this.stamps.length > 0;
  }

  /** The next bytes at this offset, or behind it when those were left out; none at the end. */
  async read(from: number, length: number): Promise<OutputPart> {
    const here = await this.readHere(from, length);
    return here ?? this.store.outputs.read(this.jobId, this.attempt.run, from, length);
  }

  /** All of it from an offset on. */
  async *parts(from = 0): AsyncGenerator<OutputPart> {
    const length = this.store.spansHosts ? READ_FROM_SERVER_BYTES : READ_BYTES;
    for (let at = from; ; ) {
      const part = await this.read(at, length);
      if (part.data.length === 0) return;
      yield part;
      at = part.from + part.data.length;
    }
  }

  /** The same, with the time and the stream of each stretch. */
  async *stretches(from = 0): AsyncGenerator<Stretch> {
    for await (const part of this.parts(from)) yield* this.stretchesIn(part);
  }

  stretchesIn(part: OutputPart): Iterable<Stretch> {
    return stretchesOf(part, this.stamps, this.attempt.endedAt ?? this.store.now());
  }

  /** How many bytes it has written by now. */
  async size(): Promise<number> {
    const { output, logPath } = this.attempt;
    const written = logPath && output ? availableIn(logPath)?.bytes : undefined;
    return this.recorded ?? written ?? this.measure();
  }

  /** null: it has not ended, or is of a version that did not count. */
  private get recorded(): number | null {
    const { endedAt, output } = this.attempt;
    return (endedAt !== null && output?.bytes) || null;
  }

  private async measure(): Promise<number> {
    const isHere = (await this.readHere(0, 0)) !== null;
    if (this.recorded !== null) return this.recorded; // it has ended just now
    if (!isHere) return this.store.outputs.size(this.jobId, this.attempt.run);
    let size = 0;
    for await (const { from, data } of this.parts()) size = from + data.length;
    return size;
  }

  /** When and on which stream its parts came, as far as that is known here. */
  get stamps(): readonly Stamp[] {
    const { endedAt, output, logPath } = this.attempt;
    return endedAt === null && logPath ? stampsIn(logPath) : (output?.stamps ?? []);
  }

  private async readHere(from: number, length: number): Promise<OutputPart | null> {
    const { logPath, output, endedAt } = this.attempt;
    if (logPath === null) return null;
    if (output === null) return withFile(logPath, (fd) => ({ from, data: readAt(fd, from, length) }));
    if (endedAt !== null) return readLog(logPath, output, from, length) ?? readJournal(logPath, from, length);
    return readJournal(logPath, from, length) ?? this.readIfEnded(from, length);
  }

  /** There is no journal: it may have ended since we looked, and be elsewhere. */
  private async readIfEnded(from: number, length: number): Promise<OutputPart | null> {
    const history = await this.store.history(this.jobId);
    const fresh = history.find(({ run }) => run === this.attempt.run);
    this.attempt = { ...this.attempt, ...fresh };
    return this.attempt.endedAt === null ? null : this.readHere(from, length);
  }
}
