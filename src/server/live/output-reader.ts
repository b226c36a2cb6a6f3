// Reads the output of one job as text, attempt by attempt, for all clients that follow it. Clients at the same position
// share what was read. Each client keeps its own cursor and can resume there later.

import type { Attempt, Job } from '../../job/job.ts';
import type { Queue } from '../../queue/queue.ts';
import { beginningOf, completeLength } from './text-chunk.ts';

const CHUNK_BYTES = 65_536;
/** Number of shared reads. Live clients are at a few positions; reads for clients that catch up need not be kept. */
const SHARED_STEPS = 8;

/** The next byte to read, in the attempt of this run. */
export interface Cursor {
  readonly run: number;
  readonly offset: number;
  /** True if the client knows that the attempt has ended. */
  readonly isEnded: boolean;
}

/** New output at a cursor, and the cursor after it. */
export interface Step {
  readonly next: Cursor;
  readonly attempt: Attempt;
  /** Starts at byte `offset`; null if the attempt has ended without further output. */
  readonly text: { readonly offset: number; readonly text: string } | null;
}

type Source = Pick<Queue, 'get' | 'history' | 'outputOf'>;

export class OutputReader {
  readonly id: string;
  private readonly queue: Source;
  private job: Job | null = null;
  private attempts: readonly Attempt[] = [];
  private steps = new Map<string, Promise<Step | null>>();
  private known: Promise<void> | null = null;

  constructor(queue: Source, id: string) {
    this.queue = queue;
    this.id = id;
  }

  /** Discards what was read, and if the store has changed, the list of attempts too. */
  refresh(hasStoreChanged: boolean): void {
    this.steps = new Map();
    if (hasStoreChanged) this.known = null;
  }

  /**
   * Returns a cursor in the latest attempt, at this byte or shortly before the end; null if there is no attempt yet.
   */
  async start(at: number | null): Promise<Cursor | null> {
    const attempt = await this.newestAttempt();
    if (!attempt || !this.job) return null;
    if (at !== null) return { run: attempt.run, offset: at, isEnded: false };
    const output = await this.queue.outputOf(this.job, attempt);
    const from = Math.max(0, (await output.size()) - CHUNK_BYTES);
    if (from === 0) return { run: attempt.run, offset: 0, isEnded: false };
    const part = await output.read(from, CHUNK_BYTES);
    return { run: attempt.run, offset: part.from + beginningOf(part.data), isEnded: false };
  }

  /** Returns null if there is none yet. */
  async newestAttempt(): Promise<Attempt | null> {
    await this.learn();
    return this.attempts.at(-1) ?? null;
  }

  /** Returns null if there is nothing new. */
  step(cursor: Cursor): Promise<Step | null> {
    const key = `${cursor.run}.${cursor.offset}.${cursor.isEnded}`;
    const known = this.steps.get(key) ?? this.look(cursor);
    if (this.steps.size >= SHARED_STEPS) this.steps.clear();
    this.steps.set(key, known);
    return known;
  }

  private async look(cursor: Cursor): Promise<Step | null> {
    await this.learn();
    if (cursor.isEnded) return this.nextAttempt(cursor);
    const attempt = this.attempts.find(({ run }) => run === cursor.run);
    if (!attempt || !this.job) return this.nextAttempt(cursor);
    const isEnded = attempt.endedAt !== null;
    const part = await (await this.queue.outputOf(this.job, attempt)).read(cursor.offset, CHUNK_BYTES);
    const isLast = isEnded && part.data.length < CHUNK_BYTES;
    const length = isLast ? part.data.length : completeLength(part.data);
    if (length > 0) {
      const next = { ...cursor, offset: part.from + length };
      return { next, attempt, text: { offset: part.from, text: part.data.toString('utf8', 0, length) } };
    }
    return isEnded ? { next: { ...cursor, isEnded: true }, attempt, text: null } : null;
  }

  private async nextAttempt({ run }: Cursor): Promise<Step | null> {
    const next = this.attempts.find((attempt) => attempt.run > run);
    return next ? this.step({ run: next.run, offset: 0, isEnded: false }) : null;
  }

  /** Loads the job and its attempts, once per change and for all clients. */
  private learn(): Promise<void> {
    this.known ??= this.ask().catch((error: unknown) => {
      this.known = null;
      throw error;
    });
    return this.known;
  }

  private async ask(): Promise<void> {
    this.job = await this.queue.get(this.id);
    this.attempts = this.job ? await this.queue.history(this.id) : [];
  }
}
