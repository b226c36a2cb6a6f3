// Changes of many jobs that go on after the request that asked for them, in the memory of this server: they end with it, and
// say so. A bounded number of them run at once, and a bounded number is remembered.

import { QueueError } from '../errors/errors.ts';
import { type Refusal, refusedIn } from '../job/isolation/refusals.ts';
import { isoTime, type Json } from '../job/wire.ts';
import { newJobId } from '../job/id.ts';
import type { Progress } from '../queue/job-control.ts';
import type { Queue } from '../queue/queue.ts';
import { randomBytes } from '../system/random.ts';

export type BulkState = 'running' | 'done' | 'stopped' | 'failed';

export interface BulkRun {
  readonly id: string;
  /** As it was asked for. */
  readonly action: string;
  readonly startedAt: number;
  readonly by: string;
  total: number;
  /** How many were looked at. */
  done: number;
  /** How many of those were changed; the others could not be any more. */
  changed: number;
  /** What the policy does not allow. */
  refusals: readonly Refusal[];
  state: BulkState;
  /** Why it failed or was stopped. */
  error: string | null;
  endedAt: number | null;
}

export interface BulkWish {
  readonly action: string;
  readonly by: string;
  /** How many jobs it is about. */
  readonly total: number;
  /** Tells how far it is, and ends soon after it was stopped. */
  readonly work: (progress: Progress) => Promise<{ readonly refusals?: readonly Refusal[] }>;
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

  /** Returns at once; else too_many_bulks. */
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
      refusals: [],
      state: 'running',
      error: null,
      endedAt: null,
    };
    this.remember(run);
    const end: Promise<void> = this.carryOut(run, work).finally(() => this.ends.delete(end));
    this.ends.add(end);
    return run;
  }

  /** The newest first. */
  all(): BulkRun[] {
    return [...this.runs.values()].reverse();
  }

  /** Else bulk_not_found. */
  get(id: string): BulkRun {
    const run = this.runs.get(id);
    if (!run) throw new QueueError('bulk_not_found', { id });
    return run;
  }

  /** What was changed by then stays changed. One that has ended stays as it is. */
  stop(id: string): void {
    stop(this.get(id), 'somebody stopped it');
  }

  /** For the end of the server: waits for what is being written. */
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
      run.refusals = ended.refusals ?? [];
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

/** What went wrong inside is for nobody outside. */
const sentenceOf = (error: unknown): string =>
  error instanceof QueueError ? error.message : 'something went wrong inside the server';

export const bulkToJson = (run: BulkRun): Json => ({
  id: run.id,
  action: run.action,
  by: run.by,
  state: run.state,
  total: run.total,
  done: run.done,
  changed: run.changed,
  refused: refusedIn(run.refusals),
  refusals: run.refusals,
  error: run.error,
  started_at: isoTime(run.startedAt),
  ended_at: isoTime(run.endedAt),
});
