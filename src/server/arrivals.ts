// New jobs of many requests at once, stored together: while one transaction is being written to the disk, the requests that
// come meanwhile gather for the next. Where that takes long, it waits a little for those that were just answered, who often
// come again: else two halves would take turns, each waiting for the other's disk. Each request still goes in whole or not at
// all, and has its own error: if the store refuses them together, each is tried alone.

import type { Intake, JobInput } from '../intake/intake.ts';
import type { Job, NewJob } from '../job/job.ts';
import { type TraceContext, withTrace } from '../job/environment/trace-context.ts';
import type { Queue } from '../queue/queue.ts';
import { intakeOf } from './intake.ts';

/** In one transaction, some 60 ms on SQLite, so that nobody waits long for it. */
const JOBS_AT_ONCE = 4000;

/** How much of the time that the last transaction took may be waited for more to store in the next. */
const SHARE_WAITED = 0.25;
/** However long that was: it may have been somebody's 50,000 jobs. */
const MOST_WAITED_MS = 10;

interface Arrival {
  /** The queue, as the caller uses it. */
  readonly queue: Queue;
  readonly inputs: readonly JobInput[];
  readonly trace: TraceContext;
  readonly resolve: (jobs: Job[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Checked extends Arrival {
  readonly jobs: readonly NewJob[];
}

export class Arrivals {
  private readonly queue: Queue;
  private waiting: Arrival[] = [];
  private isStoring = false;
  /** How many requests were with us when the last transaction ended, and how long it took. */
  private last = { requests: 0, ms: 0 };
  private enoughHaveCome = (): void => {};

  constructor(queue: Queue) {
    this.queue = queue;
  }

  /** `queue` is this one, as the caller uses it. */
  enqueue(inputs: readonly JobInput[], trace: TraceContext, queue = this.queue): Promise<Job[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ inputs, trace, queue, resolve, reject });
      if (!this.isStoring) void this.storeAll();
      else if (this.waiting.length >= this.last.requests) this.enoughHaveCome();
    });
  }

  private async storeAll(): Promise<void> {
    this.isStoring = true;
    while (this.waiting.length > 0) {
      await aMoment(); // requests that have come in already are read first
      await this.gather();
      const taken = this.take();
      const startedAt = performance.now();
      await this.storeSome(taken);
      this.last = { requests: taken.length + this.waiting.length, ms: performance.now() - startedAt };
    }
    this.isStoring = false;
  }

  /** Until as many have come as were here before, or it is not worth waiting for them. */
  private gather(): Promise<void> | undefined {
    const mostMs = Math.min(Math.floor(this.last.ms * SHARE_WAITED), MOST_WAITED_MS);
    if (mostMs < 1 || this.waiting.length >= this.last.requests) return;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.enoughHaveCome = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The first to arrive, as many as go into one transaction; at least one. */
  private take(): Arrival[] {
    let [count, jobs] = [0, 0];
    for (const { inputs } of this.waiting) {
      jobs += inputs.length;
      if (jobs > JOBS_AT_ONCE && count > 0) break;
      count++;
    }
    const taken = this.waiting.slice(0, count);
    this.waiting = this.waiting.slice(count);
    return taken;
  }

  private async storeSome(arrivals: readonly Arrival[]): Promise<void> {
    const intake = await intakeOf(this.queue).catch((error: unknown) => {
      for (const { reject } of arrivals) reject(error);
      return null;
    });
    if (intake === null) return;
    const checked = arrivals.flatMap((arrival) => readOf(arrival, intake));
    if (intake.isHeldToPolicy) return storeForEach(checked);
    const together = checked.filter(({ jobs }) => jobs.every(standsAlone));
    await storeTogether(together, intake);
    for (const arrival of checked) if (!together.includes(arrival)) await storeAlone(arrival, intake);
  }
}

/** A request that cannot be understood is answered at once. */
function readOf(arrival: Arrival, intake: Intake): Checked[] {
  try {
    const jobs = arrival.inputs.map((input) => withTrace(intake.read(input), arrival.trace));
    return [{ ...arrival, jobs }];
  } catch (error) {
    arrival.reject(error);
    return [];
  }
}

/** Jobs that name others, or may take their place, could meet those of another request. */
const standsAlone = ({ dependsOn, uniqueKey }: NewJob): boolean =>
  dependsOn.length === 0 && uniqueKey === null;

async function storeTogether(arrivals: readonly Checked[], intake: Intake): Promise<void> {
  const [only, another] = arrivals;
  if (only === undefined) return;
  if (another === undefined) return storeAlone(only, intake);
  try {
    const stored = await intake.enqueue(arrivals.flatMap(({ jobs }) => jobs));
    let at = 0;
    for (const { jobs, resolve } of arrivals) {
      resolve(stored.slice(at, at + jobs.length));
      at += jobs.length;
    }
  } catch {
    for (const arrival of arrivals) await storeAlone(arrival, intake);
  }
}

/** Who enqueues matters. */
async function storeForEach(arrivals: readonly Checked[]): Promise<void> {
  for (const arrival of arrivals) {
    const own = intakeOf(arrival.queue);
    await own.then((intake) => storeAlone(arrival, intake)).catch(arrival.reject);
  }
}

async function storeAlone({ jobs, resolve, reject }: Checked, intake: Intake): Promise<void> {
  await intake.enqueue(jobs).then(resolve, reject);
}

const aMoment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
