// Counts what one transaction did, by queue. The only place that decides what counts as what; the store writes one
// tally per queue.

import { type JobState, type Outcome, TIMED_OUTCOMES } from '../job/job.ts';
import { type Histogram, Values } from './histogram.ts';
import { Numbers } from './numbers.ts';
import { JOB_COUNTS, type JobCount, type Tally } from './tally.ts';

export class Tallies {
  private readonly byQueue = new Map<string, Counting>();

  static ofEnqueued(queues: ReadonlyMap<string, number>): Tallies {
    const tallies = new Tallies();
    for (const [queue, jobs] of queues) tallies.enqueued(queue, jobs);
    return tallies;
  }

  get isEmpty(): boolean {
    return this.byQueue.size === 0;
  }

  texts(): [queue: string, tally: string][] {
    return Array.from(this.byQueue, ([queue, counting]) => [queue, counting.text]);
  }

  enqueued(queue: string, jobs = 1): this {
    if (jobs > 0) this.of(queue).jobs.add('enqueued', jobs);
    return this;
  }

  /** For jobs cancelled before they ran, by a user or because of a dependency. */
  cancelled(queue: string, jobs = 1): this {
    if (jobs > 0) this.of(queue).jobs.add('cancelled', jobs);
    return this;
  }

  started(queue: string, waitedMs: number): void {
    this.of(queue).count('started', 1);
    this.of(queue).value('wait', waitedMs);
  }

  /** Records an ended attempt; `state` is the resulting state of its job. */
  ended(queue: string, outcome: Outcome, state: JobState, durationMs: number, cpuMs: number | null = null): void {
    const counting = this.of(queue);
    counting.attempts.add(outcome, 1);
    if (isCounted(state)) counting.jobs.add(state, 1);
    if (cpuMs) counting.count('cpuMs', cpuMs);
    if (TIMED_OUTCOMES.includes(outcome)) counting.value('run', durationMs);
  }

  skippedTicks(queue: string, ticks = 1): this {
    if (ticks > 0) this.of(queue).count('skippedTicks', ticks);
    return this;
  }

  /** Records the duration of the previous turn, together with other counts. */
  turnTook(ms: number | null): void {
    const [first] = this.byQueue.values();
    if (first && ms !== null) first.value('turn', ms);
  }

  private of(queue: string): Counting {
    let counting = this.byQueue.get(queue);
    if (!counting) {
      counting = new Counting();
      this.byQueue.set(queue, counting);
    }
    return counting;
  }
}

type NamesOf<T> = { [Name in keyof Tally]-?: NonNullable<Tally[Name]> extends T ? Name : never }[keyof Tally];

/** Builds a Tally. */
class Counting {
  readonly jobs = new Numbers();
  readonly attempts = new Numbers();
  private readonly numbers = new Numbers();
  private readonly values = new Map<string, Values>();

  count(name: NamesOf<number>, n: number): void {
    this.numbers.add(name, n);
  }

  value(name: NamesOf<Histogram>, ms: number): void {
    let values = this.values.get(name);
    if (!values) {
      values = new Values();
      this.values.set(name, values);
    }
    values.add(ms);
  }

  get text(): string {
    const members = this.numbers.isEmpty ? [] : [this.numbers.members];
    if (!this.jobs.isEmpty) members.push(`"jobs":${this.jobs.text}`);
    if (!this.attempts.isEmpty) members.push(`"attempts":${this.attempts.text}`);
    for (const [name, values] of this.values) members.push(`"${name}":${values.text}`);
    return `{${members.join()}}`;
  }
}

const isCounted = (state: JobState): state is JobCount & JobState => (JOB_COUNTS as readonly string[]).includes(state);
