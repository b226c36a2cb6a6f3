// What a job says of itself while it runs: how far it is, in lines of its output or by `queuectl progress`; and at its end
// what came out, and when it wants to be run again. The worker gathers it here and tells the store in its turn, so a job
// that says much costs the store nothing, and one whose lease was lost says nothing any more.

import { isSameProgress, type Progress, progressIn } from '../../job/output/progress.ts';
import { problemOfResult, RESULT_MAX_BYTES, tooLarge } from '../../job/output/result.ts';
import type { Stream } from '../../job/output/output-stamps.ts';
import {
  makeFolderOf,
  progressFile,
  isThere,
  readSmallFile,
  removeAttemptFiles,
  removeFolder,
  removeSmallFile,
  resultFile,
  retryAfterFile,
  type SmallFile,
  versionOf,
} from '../../process/output/attempt-files.ts';
import { dirname } from 'node:path';
import { ProgressLines } from '../../process/output/progress-lines.ts';
import { parseDurationMs } from '../../time/duration.ts';
import type { Masking } from './masking.ts';

/** More than any progress that queuectl writes. */
const PROGRESS_BYTES = 1024;
const RETRY_AFTER_BYTES = 64;

export interface LastWords {
  readonly progress: Progress | null;
  /** A JSON text. */
  readonly result: string | null;
  /** Why what it gave as its result is not kept. */
  readonly remark: string | null;
  readonly retryAfterSeconds: number | null;
}

export class Inside {
  /** What the names of its files begin with. */
  private readonly logPath: string;
  /** Whether these files have a folder to themselves, which goes with them. */
  private readonly isApart: boolean;
  /** Whether it may ask to be run again later. */
  private readonly canSnooze: boolean;
  /** Hides secrets in what it says by files; what it writes comes here without them. null: it has none. */
  private readonly masking: Pick<Masking, 'text' | 'json'> | null;
  private readonly lines = new Map<Stream, ProgressLines>();
  private latest: Progress | null = null;
  private told: Progress | null = null;
  private seenVersion: string | null = null;

  constructor(
    logPath: string,
    canSnooze = false,
    isApart = false,
    masking: Pick<Masking, 'text' | 'json'> | null = null,
  ) {
    this.logPath = logPath;
    this.isApart = isApart;
    this.masking = masking;
    this.canSnooze = canSnooze;
    makeFolderOf(logPath);
  }

  /** Where its files are. */
  get folder(): string {
    return dirname(this.logPath);
  }

  /** For the environment of the job. */
  get variables(): Record<string, string> {
    return {
      QUEUECTL_PROGRESS: progressFile(this.logPath),
      QUEUECTL_RESULT: resultFile(this.logPath),
      ...(this.canSnooze && { QUEUECTL_RETRY_AFTER: retryAfterFile(this.logPath) }),
    };
  }

  /** What it wrote, on whichever stream; `data` is only lent. */
  add(data: Buffer, stream: Stream): void {
    const lines = this.linesOf(stream);
    const before = lines.last;
    lines.add(data);
    if (lines.last !== before) this.latest = lines.last;
  }

  /** What the store does not know yet; null: nothing. */
  get news(): Progress | null {
    this.lookAtFile();
    return isSameProgress(this.latest, this.told) ? null : this.latest;
  }

  /** The store has it now. */
  recorded(progress: Progress): void {
    this.told = progress;
  }

  /** The job has ended and everything that it wrote was added. Its files are gone then. */
  finish(): LastWords {
    this.endLines();
    const { news: progress } = this;
    if (this.seenVersion !== null) this.remove(progressFile(this.logPath));
    const words = { progress, ...this.takeResult(), retryAfterSeconds: this.takeRetryAfter() };
    this.removeOwnFolder();
    return words;
  }

  /** Nobody wants to know any more. */
  discard(): null {
    removeAttemptFiles(this.logPath);
    this.removeOwnFolder();
    return null;
  }

  private remove(path: string): void {
    if (!this.isApart) removeSmallFile(path);
  }

  private removeOwnFolder(): void {
    if (this.isApart) removeFolder(this.folder);
  }

  private linesOf(stream: Stream): ProgressLines {
    const known = this.lines.get(stream);
    if (known) return known;
    const made = new ProgressLines();
    this.lines.set(stream, made);
    return made;
  }

  private endLines(): void {
    for (const lines of this.lines.values()) {
      const before = lines.last;
      lines.end();
      if (lines.last !== before) this.latest = lines.last;
    }
  }

  private lookAtFile(): void {
    const version = versionOf(progressFile(this.logPath));
    if (version === null || version === this.seenVersion) return;
    this.seenVersion = version;
    const text = readSmallFile(progressFile(this.logPath), PROGRESS_BYTES)?.text ?? '';
    this.latest = progressIn(this.masked(text)) ?? this.latest;
  }

  private takeResult(): Pick<LastWords, 'result' | 'remark'> {
    const file = this.take(resultFile(this.logPath), RESULT_MAX_BYTES);
    if (file === null || file.text?.trim() === '') return { result: null, remark: null };
    const said = file.text?.trim() ?? null;
    const text = said && this.masking ? this.masking.json(said) : said;
    const problem = text === null ? tooLarge(file.bytes) : problemOfResult(text);
    if (problem !== null) return { result: null, remark: `result not stored: ${problem}` };
    return { result: text, remark: null };
  }

  private masked(text: string): string {
    return this.masking === null ? text : this.masking.text(text);
  }

  private takeRetryAfter(): number | null {
    if (!this.canSnooze) return null;
    const text = this.take(retryAfterFile(this.logPath), RETRY_AFTER_BYTES)?.text ?? '';
    const ms = parseDurationMs(text);
    return ms === null ? null : ms / 1000;
  }

  private take(path: string, mostBytes: number): SmallFile | null {
    if (!isThere(path)) return null;
    const file = readSmallFile(path, mostBytes);
    this.remove(path);
    return file;
  }
}
