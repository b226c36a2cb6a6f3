// Stores the new jobs of concurrent requests together: requests that arrive while one transaction is written are stored
// in the next one. If transactions are slow, the next one waits briefly for the clients that just got a response,
// because they often send another request. Without the wait, two halves of the clients would take turns, each waiting
// for the other's transaction. Each request is still stored completely or not at all and has its own error: if the
// store rejects them together, each one is tried separately.

import type { Intake, JobInput } from '../intake/intake.ts';
import type { Job, NewJob } from '../job/job.ts';
import { type TraceContext, withTrace } from '../job/environment/trace-context.ts';
import { aMoment } from '../queue/job-control.ts';
import type { Queue } from '../queue/queue.ts';
import { intakeOf } from './intake.ts';

/** Jobs per transaction: about 60 ms on SQLite, so that no other process waits long. */
const JOBS_AT_ONCE = 4000;

/** Maximum wait for more requests, as a share of the last transaction's duration. */
const SHARE_WAITED = 0.25;
/** Absolute maximum, because the last transaction may have been unusually large. */
const MOST_WAITED_MS = 10;

interface Arrival {
  /** The queue on behalf of the client. */
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
  /** Number of requests present when the last transaction ended, and its duration. */
  private last = { requests: 0, ms: 0 };
  private enoughHaveCome = (): void => {};

  constructor(queue: Queue) {
    this.queue = queue;
  }

  /** `queue` is the same queue on behalf of the client. */
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
      await aMoment(); // first reads requests that have already arrived
      await this.gather();
      const taken = this.take();
      const startedAt = performance.now();
      await this.storeSome(taken);
      this.last = { requests: taken.length + this.waiting.length, ms: performance.now() - startedAt };
    }
    this.isStoring = false;
  }

  /** Waits until as many requests have arrived as before, or until waiting no longer pays. */
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

  /** Takes the first requests that fit into one transaction, at least one. */
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

/** Rejects an invalid request at once. */
function readOf(arrival: Arrival, intake: Intake): Checked[] {
  try {
    const jobs = arrival.inputs.map((input) => withTrace(intake.read(input), arrival.trace));
    return [{ ...arrival, jobs }];
  } catch (error) {
    arrival.reject(error);
    return [];
  }
}

/** False for jobs that refer to other jobs or may replace them, which may be in another request. */
const standsAlone = ({ dependsOn, uniqueKey }: NewJob): boolean => dependsOn.length === 0 && uniqueKey === null;

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

/** For a policy that depends on the enqueuer. */
async function storeForEach(arrivals: readonly Checked[]): Promise<void> {
  for (const arrival of arrivals) {
    const own = intakeOf(arrival.queue);
    await own.then((intake) => storeAlone(arrival, intake)).catch(arrival.reject);
  }
}

async function storeAlone({ jobs, resolve, reject }: Checked, intake: Intake): Promise<void> {
  await intake.enqueue(jobs).then(resolve, reject);
}
