// Reading what jobs wrote: whole logs, their last lines, and output as it comes, over all attempts.

import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal, type Job } from './job/job.ts';
import { AttemptOutput } from './output.ts';
import { CUT, END, NO_NEWLINE } from './process/log.ts';
import type { Queue } from './queue.ts';

const LOOK_AGAIN_MS = 50;
/** Where a look is a question to a server. */
const ASK_AGAIN_MS = 250;
const MOUTHFUL = 8_388_608;
const REMEMBERED = 64;
const NEWLINE = 10;

/** The last lines of several logs taken as one text. */
export async function lastLines(logs: readonly AttemptOutput[], lines: number): Promise<Buffer> {
  let kept: Buffer = Buffer.alloc(0);
  for (const log of logs) {
    for await (const chunk of log.chunks()) kept = tailOf(Buffer.concat([kept, chunk]), lines);
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
      if (current?.number !== attempt.number) {
        const log = new AttemptOutput(queue.store, id, attempt);
        current = new Follower(attempt.number, log, options.bare ?? false, write);
      }
      while (!(await current.pump(attempt.endedAt !== null))) await sleep(0); // others want their turn too
      last = attempt.number;
    }
    if (isFinal(job.state)) return job;
    await options.idle?.(job);
    await sleep(queue.store.outputs ? ASK_AGAIN_MS : LOOK_AGAIN_MS);
  }
  return null;
}

/** Follows the log of one attempt. */
class Follower {
  readonly number: number;
  private readonly log: AttemptOutput;
  private readonly output: (chunk: Buffer) => void;
  private readonly bare: BareOutput | null;
  private offset = 0;
  /** What stood just before the offset, by which a cut is noticed. */
  private seen: Buffer = Buffer.alloc(0);
  private leftOut = 0;

  constructor(number: number, log: AttemptOutput, bare: boolean, write: (chunk: Buffer) => void) {
    this.number = number;
    this.log = log;
    this.bare = bare ? new BareOutput(write) : null;
    this.output = (chunk) => (this.bare ?? { add: write }).add(chunk);
  }

  /** Hands over what is new; false when there was more than a mouthful. */
  async pump(isOver: boolean): Promise<boolean> {
    if (!(await this.isWhereItWas())) await this.findPlace();
    const stopAt = this.offset + MOUTHFUL;
    for await (const chunk of this.log.chunks(this.offset)) {
      this.offset += chunk.length;
      this.seen = Buffer.concat([this.seen, chunk]).subarray(-REMEMBERED);
      this.output(chunk);
      if (this.offset >= stopAt) return false;
    }
    if (isOver) this.bare?.end();
    else this.bare?.rest();
    return true;
  }

  private async isWhereItWas(): Promise<boolean> {
    return (await this.justBefore()).equals(this.seen);
  }

  private justBefore(): Promise<Buffer> {
    return this.log.read(this.offset - this.seen.length, this.seen.length);
  }

  /** The middle of the log was cut out. The line in its place says how much, and so where our place is now. */
  private async findPlace(): Promise<void> {
    const text = Buffer.concat(await Array.fromAsync(this.log.chunks())).toString('latin1');
    const cut = CUT.exec(text);
    const [marker = '', leftOut = 0] = cut ?? [];
    const tail = (cut?.index ?? 0) + marker.length;
    const moved = Number(leftOut) - this.leftOut - (this.leftOut === 0 ? marker.length : 0);
    this.offset = Math.min(Math.max(tail, this.offset - moved), text.length);
    this.leftOut = Number(leftOut);
    this.seen = await this.justBefore();
  }
}

/** What the job wrote, without the START line and holding back what may turn out to be the END line. */
class BareOutput {
  private readonly write: (chunk: Buffer) => void;
  private held: Buffer = Buffer.alloc(0);
  private hasBegun = false;

  constructor(write: (chunk: Buffer) => void) {
    this.write = write;
  }

  add(chunk: Buffer): void {
    this.held = Buffer.concat([this.held, chunk]);
    if (!this.hasBegun && !this.dropStart()) return;
    const at = endLineIn(this.held);
    const ready = this.held.subarray(0, at);
    this.held = this.held.subarray(at);
    if (at > 0) this.write(ready);
  }

  /** A newline of ours comes in one piece with the END line, so one that stands alone is the job's. */
  rest(): void {
    if (!this.hasBegun || this.held.length !== 1 || this.held[0] !== NEWLINE) return;
    this.write(this.held);
    this.held = Buffer.alloc(0);
  }

  end(): void {
    const line = this.held.toString().replace(/^\n/, '');
    const isOurs = this.held[0] !== NEWLINE || line.includes(NO_NEWLINE);
    const rest = line.startsWith(END) ? this.held.subarray(0, isOurs ? 0 : 1) : this.held;
    if (rest.length > 0) this.write(rest);
    this.held = Buffer.alloc(0);
  }

  /** false: the START line goes on; with a long command it is more than one chunk. */
  private dropStart(): boolean {
    const end = this.held.indexOf(NEWLINE);
    if (end < 0) return false;
    this.held = this.held.subarray(end + 1);
    this.hasBegun = true;
    return true;
  }
}

/** Where a last line begins that is the END line or may become it, the newline before it included. */
function endLineIn(text: Buffer): number {
  const lastBreak = text.lastIndexOf(NEWLINE, -2);
  const line = text.subarray(lastBreak + 1, lastBreak + 1 + END.length).toString();
  const mayBeEnd = END.startsWith(line) && (line !== '' || text.at(-1) === NEWLINE);
  if (mayBeEnd) return Math.max(0, lastBreak);
  return text.at(-1) === NEWLINE ? text.length - 1 : text.length;
}
