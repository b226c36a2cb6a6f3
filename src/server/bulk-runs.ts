// Bulk operations that continue after the request that started them. They are kept in memory, so they stop with the
// server. The numbers of running and remembered operations are bounded.

import { QueueError } from '../errors/errors.ts';
import { type Rejection, rejectedIn } from '../job/isolation/rejections.ts';
import { isoTime, type Json } from '../job/wire.ts';
import { newJobId } from '../job/id.ts';
import type { Progress } from '../queue/job-control.ts';
import type { Queue } from '../queue/queue.ts';
import { randomBytes } from '../system/random.ts';

type BulkState = 'running' | 'done' | 'stopped' | 'failed';

export interface BulkRun {
  readonly id: string;
  readonly action: string;
  readonly startedAt: number;
  readonly by: string;
  total: number;
  done: number;
  /** Number of changed jobs; the state of the others no longer allowed it. */
  changed: number;
  /** Jobs that the policy rejected, by reason. */
  rejections: readonly Rejection[];
  state: BulkState;
  /** Why it failed or was stopped. */
  error: string | null;
  endedAt: number | null;
}

export interface BulkWish {
  readonly action: string;
  readonly by: string;
  /** Number of selected jobs. */
  readonly total: number;
  /** Reports its progress, and ends soon after it was stopped. */
  readonly work: (progress: Progress) => Promise<{ readonly rejections?: readonly Rejection[] }>;
}

const RUN_AT_MOST = 4;
const REMEMBER = 100;

export class BulkRuns {
  private readonly queue: Queue;
  private readonly runs = new Map<string, BulkRun>();
  private readonly ends = new Set<Promise<void>>();

  constructor(queue: Queue) {
    this.queue = queue;
  }

  /** Returns at once. Throws too_many_bulks. */
  start({ action, by, total, work }: BulkWish): BulkRun {
    if (this.running.length >= RUN_AT_MOST) throw new QueueError('too_many_bulks', { most: RUN_AT_MOST });
    const run: BulkRun = {
      id: newJobId(randomBytes),
      action,
      by,
      startedAt: this.queue.now(),
      total,
      done: 0,
      changed: 0,
      rejections: [],
      state: 'running',
      error: null,
      endedAt: null,
    };
    this.remember(run);
    const end: Promise<void> = this.carryOut(run, work).finally(() => this.ends.delete(end));
    this.ends.add(end);
    return run;
  }

  /** Newest first. */
  all(): BulkRun[] {
    return [...this.runs.values()].reverse();
  }

  /** Throws bulk_not_found. */
  get(id: string): BulkRun {
    const run = this.runs.get(id);
    if (!run) throw new QueueError('bulk_not_found', { id });
    return run;
  }

  /** Jobs that were already changed stay changed. Ignores a finished operation. */
  stop(id: string): void {
    stop(this.get(id), 'stopped by a user');
  }

  /** Stops all operations and waits for pending writes. */
  async close(): Promise<void> {
    for (const run of this.running) stop(run, 'the server was stopped');
    await Promise.all(this.ends);
  }

  private get running(): BulkRun[] {
    return [...this.runs.values()].filter(({ state }) => state === 'running');
  }

  private remember(run: BulkRun): void {
    this.runs.set(run.id, run);
    const ended = [...this.runs.values()].filter(({ state }) => state !== 'running');
    for (const { id } of ended.slice(0, Math.max(0, this.runs.size - REMEMBER))) this.runs.delete(id);
  }

  private async carryOut(run: BulkRun, work: BulkWish['work']): Promise<void> {
    try {
      const ended = await work({
        onProgress: (done, changed) => Object.assign(run, { done, changed }),
        isStopped: () => run.state !== 'running',
      });
      run.rejections = ended.rejections ?? [];
      if (run.state === 'running') run.state = 'done';
    } catch (error) {
      Object.assign(run, { state: 'failed', error: sentenceOf(error) });
    }
    run.endedAt = this.queue.now();
  }
}

function stop(run: BulkRun, why: string): void {
  if (run.state === 'running') Object.assign(run, { state: 'stopped', error: why });
}

/** Hides internal errors from clients. */
const sentenceOf = (error: unknown): string => (error instanceof QueueError ? error.message : 'internal server error');

export const bulkToJson = (run: BulkRun): Json => ({
  id: run.id,
  action: run.action,
  by: run.by,
  state: run.state,
  total: run.total,
  done: run.done,
  changed: run.changed,
  rejected: rejectedIn(run.rejections),
  rejections: run.rejections,
  error: run.error,
  started_at: isoTime(run.startedAt),
  ended_at: isoTime(run.endedAt),
});
