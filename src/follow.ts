// Reading what jobs wrote: whole logs, their last lines, and output as it comes, over all attempts.

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attempt, isFinal, type Job } from './job/job.ts';
import { END } from './process/log.ts';
import type { Queue } from './queue.ts';

const LOOK_AGAIN_MS = 50;
const CHUNK = 65_536;

/** The log from an offset on, in pieces; nothing when the file is not there. */
export function* readLog(path: string, from = 0): Generator<Buffer> {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    for (let at = from; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const length = readSync(fd, chunk, 0, CHUNK, at);
      if (length === 0) return;
      yield chunk.subarray(0, length);
      at += length;
    }
  } finally {
    closeSync(fd);
  }
}

/** The last lines of several logs taken as one text. */
export function lastLines(paths: readonly string[], lines: number): Buffer {
  let kept: Buffer = Buffer.alloc(0);
  for (const path of paths) {
    for (const chunk of readLog(path)) kept = tailOf(Buffer.concat([kept, chunk]), lines);
  }
  return kept;
}

function tailOf(text: Buffer, lines: number): Buffer {
  let at = text.length - (text.at(-1) === 10 ? 1 : 0);
  for (let found = 0; found < lines; found++) {
    at = text.lastIndexOf(10, at - 1);
    if (at < 0) return text;
  }
  return text.subarray(at + 1);
}

export interface FollowOptions {
  /** Leave out what is there already of attempts up to this number. */
  readonly afterAttempt?: number;
  /** Only what the job wrote, without the START and END lines. */
  readonly bare?: boolean;
  readonly signal?: AbortSignal;
  /** Called while waiting. */
  readonly idle?: (job: Job) => Promise<void> | void;
}

/** Hands over output as it comes; resolves with the job when it is final, or null when it is removed or aborted. */
export async function follow(
  queue: Queue,
  id: string,
  write: (chunk: Buffer) => void,
  options: FollowOptions = {},
): Promise<Job | null> {
  let current: Follower | null = null;
  let last = options.afterAttempt ?? 0;
  while (!options.signal?.aborted) {
    const job = await queue.store.get(id);
    if (!job) return null;
    const attempts = await queue.history(id); // after the job: an attempt that made it final is in here, ended
    for (const attempt of attempts.filter(({ number }) => number > last || number === current?.number)) {
      if (current?.number !== attempt.number) current = new Follower(attempt, options.bare ?? false);
      current.pump(write, attempt.endedAt !== null);
      last = attempt.number;
    }
    if (isFinal(job.state)) return job;
    await options.idle?.(job);
    await sleep(LOOK_AGAIN_MS);
  }
  return null;
}

/** Follows the log of one attempt. */
class Follower {
  readonly number: number;
  private readonly path: string;
  private readonly bare: boolean;
  private offset = 0;
  private sawStart = false;
  private held: Buffer = Buffer.alloc(0);

  constructor(attempt: Attempt, bare: boolean) {
    this.number = attempt.number;
    this.path = attempt.logPath;
    this.bare = bare;
  }

  pump(write: (chunk: Buffer) => void, isOver: boolean): void {
    const size = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
    if (size < this.offset) this.offset = size; // its middle was cut out: go on from here
    for (const chunk of readLog(this.path, this.offset)) {
      this.offset += chunk.length;
      if (this.bare) this.writeBare(chunk, write);
      else write(chunk);
    }
    if (!isOver) return;
    if (this.held.length > 0 && !this.held.toString().startsWith(END)) write(this.held);
    this.held = Buffer.alloc(0);
  }

  /** Without the first line, and holding back what may turn out to be the last. */
  private writeBare(chunk: Buffer, write: (chunk: Buffer) => void): void {
    let text = Buffer.concat([this.held, chunk]);
    if (!this.sawStart) {
      const end = text.indexOf(10);
      if (end < 0) {
        this.held = text;
        return;
      }
      text = text.subarray(end + 1);
      this.sawStart = true;
    }
    const lineStart = text.lastIndexOf(10, text.length - 2) + 1;
    const line = text.subarray(lineStart, lineStart + END.length).toString();
    const mayBeMarker = line !== '' && END.startsWith(line);
    this.held = mayBeMarker ? text.subarray(lineStart) : Buffer.alloc(0);
    const ready = mayBeMarker ? text.subarray(0, lineStart) : text;
    if (ready.length > 0) write(ready);
  }
}
