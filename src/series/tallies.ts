// What one transaction did, by queue: the only place that decides what counts as what. A store tells it what happened, and
// writes one tally a queue.

import type { JobState, Outcome } from '../job/job.ts';
import { TIMED_OUTCOMES } from '../job/outcome-sets.ts';
import { addValue } from './histogram.ts';
import { JOB_COUNTS, type JobCount, type Tally } from './tally.ts';

export class Tallies {
  private readonly byQueue = new Map<string, Tally>();

  get isEmpty(): boolean {
    return this.byQueue.size === 0;
  }

  entries(): [queue: string, tally: Tally][] {
    return [...this.byQueue];
  }

  enqueued(queue: string, jobs = 1): this {
    if (jobs > 0) this.countJobs(queue, 'enqueued', jobs);
    return this;
  }

  /** Without having run: by a person, or because of what it waited for. */
  cancelled(queue: string, jobs = 1): this {
    if (jobs > 0) this.countJobs(queue, 'cancelled', jobs);
    return this;
  }

  started(queue: string, waitedMs: number): void {
    const tally = this.of(queue);
    tally.started = (tally.started ?? 0) + 1;
    tally.wait = addValue(tally.wait, waitedMs);
  }

  /** An attempt ended, and `state` is what became of its job. */
  ended(
    queue: string,
    outcome: Outcome,
    state: JobState,
    durationMs: number,
    cpuMs: number | null = null,
  ): void {
    const tally = this.of(queue);
    tally.attempts ??= {};
    tally.attempts[outcome] = (tally.attempts[outcome] ?? 0) + 1;
    if (isCounted(state)) this.countJobs(queue, state, 1);
    if (cpuMs) tally.cpuMs = (tally.cpuMs ?? 0) + cpuMs;
    if (isTimed(outcome)) tally.run = addValue(tally.run, durationMs);
  }

  skippedTicks(queue: string, ticks = 1): this {
    if (ticks > 0) this.of(queue).skippedTicks = (this.of(queue).skippedTicks ?? 0) + ticks;
    return this;
  }

  /** The turn before this one took so long; told with what else there is to tell. */
  turnTook(ms: number | null): void {
    const [first] = this.byQueue.values();
    if (first && ms !== null) first.turn = addValue(first.turn, ms);
  }

  private countJobs(queue: string, what: JobCount, jobs: number): void {
    const tally = this.of(queue);
    tally.jobs ??= {};
    tally.jobs[what] = (tally.jobs[what] ?? 0) + jobs;
  }

  private of(queue: string): Tally {
    let tally = this.byQueue.get(queue);
    if (!tally) {
      tally = {};
      this.byQueue.set(queue, tally);
    }
    return tally;
  }
}

const isCounted = (state: JobState): state is JobCount & JobState =>
  (JOB_COUNTS as readonly string[]).includes(state);

const isTimed = (outcome: Outcome): boolean => (TIMED_OUTCOMES as readonly Outcome[]).includes(outcome);
