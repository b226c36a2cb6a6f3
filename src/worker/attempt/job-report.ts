// Collects what a running job reports: progress, from output lines or `queuectl progress`, and at the end its result
// and snooze. The worker passes it to the store in its next turn, so that frequent reports cost the store nothing, and
// reports after a lost lease are dropped.

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isSameProgress, type Progress, progressIn } from '../../job/output/progress.ts';
import { problemOfResult, RESULT_MAX_BYTES, tooLarge } from '../../job/output/result.ts';
import type { Stream } from '../../job/output/output-stamps.ts';
import {
  makeFolderOf,
  progressFile,
  readSmallFile,
  removeAttemptFiles,
  removeFolder,
  removeSmallFile,
  resultFile,
  retryAfterFile,
  type SmallFile,
  versionOf,
} from '../../process/output/attempt-files.ts';
import { ProgressLines } from '../../process/output/progress-lines.ts';
import { parseDurationMs } from '../../time/duration.ts';
import type { Masking } from './masking.ts';

/** Larger than any progress file that queuectl writes. */
const PROGRESS_BYTES = 1024;
const RETRY_AFTER_BYTES = 64;

export interface FinalReport {
  readonly progress: Progress | null;
  /** JSON text. */
  readonly result: string | null;
  /** Why the reported result was not kept. */
  readonly remark: string | null;
  readonly retryAfterSeconds: number | null;
}

export class JobReport {
  /** Prefix of the names of its files. */
  private readonly logPath: string;
  /** True if the files have their own directory, which is removed with them. */
  private readonly isIsolated: boolean;
  /** True if the job has a snooze exit code. */
  private readonly canSnooze: boolean;
  /** Masks secrets in reported files; output is masked before it gets here. Null if the job has no secrets. */
  private readonly masking: Pick<Masking, 'text' | 'json'> | null;
  private readonly lines = new Map<Stream, ProgressLines>();
  private latest: Progress | null = null;
  private told: Progress | null = null;
  private seenVersion: string | null = null;

  constructor(
    logPath: string,
    canSnooze = false,
    isIsolated = false,
    masking: Pick<Masking, 'text' | 'json'> | null = null,
  ) {
    this.logPath = logPath;
    this.isIsolated = isIsolated;
    this.masking = masking;
    this.canSnooze = canSnooze;
    makeFolderOf(logPath);
  }

  /** Directory of the report files. */
  get folder(): string {
    return dirname(this.logPath);
  }

  /** Variables for the job's environment. */
  get variables(): Record<string, string> {
    return {
      QUEUECTL_PROGRESS: progressFile(this.logPath),
      QUEUECTL_RESULT: resultFile(this.logPath),
      ...(this.canSnooze && { QUEUECTL_RETRY_AFTER: retryAfterFile(this.logPath) }),
    };
  }

  /** Adds output of either stream; does not keep `data`. */
  add(data: Buffer, stream: Stream): void {
    const lines = this.linesOf(stream);
    const before = lines.last;
    lines.add(data);
    if (lines.last !== before) this.latest = lines.last;
  }

  /** Returns progress that is not stored yet, or null. */
  get news(): Progress | null {
    this.lookAtFile();
    return isSameProgress(this.latest, this.told) ? null : this.latest;
  }

  /** Marks the progress as stored. */
  recorded(progress: Progress): void {
    this.told = progress;
  }

  /** Call after the job exited and all output was added. Removes the report files. */
  finish(): FinalReport {
    this.endLines();
    const { news: progress } = this;
    if (this.seenVersion !== null) this.remove(progressFile(this.logPath));
    const words = { progress, ...this.takeResult(), retryAfterSeconds: this.takeRetryAfter() };
    this.removeOwnFolder();
    return words;
  }

  /** Deletes the attempt's files without reporting them. */
  discard(): null {
    removeAttemptFiles(this.logPath);
    this.removeOwnFolder();
    return null;
  }

  private remove(path: string): void {
    if (!this.isIsolated) removeSmallFile(path);
  }

  private removeOwnFolder(): void {
    if (this.isIsolated) removeFolder(this.folder);
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

  private takeResult(): Pick<FinalReport, 'result' | 'remark'> {
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
    if (!existsSync(path)) return null;
    const file = readSmallFile(path, mostBytes);
    this.remove(path);
    return file;
  }
}
