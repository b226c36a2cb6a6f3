// Reads an attempt's output from wherever it is: the journal of a job running here, its log file, or the store. Offsets
// are the same in all of them, so readers are not affected when the output moves.

import type { Attempt } from '../job/job.ts';
import type { OutputPart } from '../job/output/output.ts';
import type { Stamp } from '../job/output/output-stamps.ts';
import { readAt, withFile } from '../system/files.ts';
import { availableIn, stampsIn, readJournal } from '../process/output/journal-files.ts';
import { readLog } from '../process/output/log-file.ts';
import type { Store } from '../store/store.ts';
import { ReadableOutput, type Written } from './readable-output.ts';

export class AttemptOutput<Known extends Written = Attempt> extends ReadableOutput<Known> {
  private readonly store: Store;

  constructor(store: Store, jobId: string, attempt: Known) {
    super(store, jobId, attempt);
    this.store = store;
  }

  async read(from: number, length: number): Promise<OutputPart> {
    const here = await this.readHere(from, length);
    return here ?? this.store.outputs.read(this.jobId, this.attempt.run, from, length);
  }

  async size(): Promise<number> {
    const { output, logPath } = this.attempt;
    const written = logPath && output ? availableIn(logPath)?.bytes : undefined;
    return this.recorded ?? written ?? this.measure();
  }

  /** Null if the attempt is running, or if its version recorded no size. */
  private get recorded(): number | null {
    const { endedAt, output } = this.attempt;
    return (endedAt !== null && output?.bytes) || null;
  }

  private async measure(): Promise<number> {
    const isHere = (await this.readHere(0, 0)) !== null;
    if (this.recorded !== null) return this.recorded; // it has just finished
    if (!isHere) return this.store.outputs.size(this.jobId, this.attempt.run);
    let size = 0;
    for await (const { from, data } of this.parts()) size = from + data.length;
    return size;
  }

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

  /** Without a journal, the attempt may have finished since, and its output moved. */
  private async readIfEnded(from: number, length: number): Promise<OutputPart | null> {
    const history = await this.store.history(this.jobId);
    const fresh = history.find(({ run }) => run === this.attempt.run);
    this.attempt = { ...this.attempt, ...fresh };
    return this.attempt.endedAt === null ? null : this.readHere(from, length);
  }
}
