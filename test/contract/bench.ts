// A store under test, with a clock that stands still until it is moved, and the few moves that every test makes.

import type { TestContext } from 'node:test';
import type { Ending, Job, JobState, NewJob, Outcome } from '../../src/job/job.ts';
import type { RetryPolicy } from '../../src/job/lifecycle.ts';
import type { Claimed, JobFilter, Lease, NewWorker, Settled, Store, Turn, TurnResult } from '../../src/store/store.ts';
import { endings, newJob, T0 } from '../support/jobs.ts';
import { plainWorker } from '../support/workers.ts';

export type Clock = () => number;

/** An empty place for a queue. Each open() is a connection of its own to the same queue. */
export interface StorePlace {
  open(clock: Clock): Promise<Store>;
  /** Empties a table beside the store, as a fault would that no store is meant to have. */
  empty?(table: string): Promise<void>;
  remove(): void | Promise<void>;
}

export type NewPlace = () => StorePlace | Promise<StorePlace>;
export type MakeBench = (t: TestContext) => Promise<Bench>;

export const policy: RetryPolicy = { strategy: 'exponential', base: 2, maxSeconds: 3600, jitter: 0 };

/** Every state that a job can be brought into through the port. Nothing blocks a job yet. */
export const REACHABLE = [
  'pending',
  'processing',
  'failed',
  'completed',
  'dead',
  'cancelled',
] as const satisfies readonly JobState[];

export async function makeBench(t: TestContext, newPlace: NewPlace): Promise<Bench> {
  const place = await newPlace();
  const bench = new Bench(place);
  t.after(async () => {
    await bench.close();
    await place.remove();
  });
  await bench.begin();
  return bench;
}

export class Bench {
  now = T0;
  private readonly place: StorePlace;
  private readonly opened: Store[] = [];

  constructor(place: StorePlace) {
    this.place = place;
  }

  /** One connection and one worker, w1. */
  async begin(): Promise<void> {
    await this.open();
    await this.worker('w1');
  }

  get store(): Store {
    const [first] = this.opened;
    if (!first) throw new Error('begin() comes first');
    return first;
  }

  /** One more connection. */
  async open(): Promise<Store> {
    const store = await this.place.open(() => this.now);
    this.opened.push(store);
    return store;
  }

  async close(): Promise<void> {
    for (const store of this.opened) await store.close();
  }

  /** As if the list of free slots had lost its entries. */
  async forgetFreedSlots(): Promise<void> {
    if (!this.place.empty) throw new Error('this place has no way to do that');
    await this.place.empty('freed_gates');
  }

  later(ms: number): void {
    this.now += ms;
  }

  async enqueue(...jobs: (string | NewJob)[]): Promise<void> {
    await this.store.enqueue(jobs.map((job) => (typeof job === 'string' ? newJob(job) : job)));
  }

  async worker(id: string, more: Partial<NewWorker> = {}): Promise<void> {
    await this.store.registerWorker({ ...identity(id), ...plainWorker, ...more });
  }

  turn(more: Partial<Turn> = {}, workerId = 'w1', store = this.store): Promise<TurnResult> {
    const idle: Turn = {
      worker: identity(workerId),
      started: [],
      ended: [],
      want: 0,
      queues: null,
      policy,
      maxConcurrentJobs: null,
      logPath: (id, run) => `logs/${id}.${run}`,
    };
    return store.turn({ ...idle, ...more });
  }

  async claim(want = 1, more: Partial<Turn> = {}, workerId = 'w1'): Promise<readonly Claimed[]> {
    return (await this.turn({ want, ...more }, workerId)).claimed;
  }

  /** Claims this job and no other. */
  async take(id: string, workerId = 'w1'): Promise<Claimed> {
    const [claimed] = await this.claim(1, { only: id }, workerId);
    if (!claimed) throw new Error(`job ${id} was not there to be claimed`);
    return claimed;
  }

  async end(lease: Lease, outcome: Outcome, more: Partial<Ending> = {}): Promise<Settled | undefined> {
    const ending = { ...endings[outcome], ...more };
    const { settled } = await this.turn({ ended: [{ seq: lease.seq, run: lease.run, ending }] });
    return settled[0];
  }

  /** One attempt of this job, from its claim to its end. */
  async run(id: string, outcome: Outcome): Promise<Job> {
    await this.end(await this.take(id), outcome);
    return this.job(id);
  }

  async job(id: string): Promise<Job> {
    const job = await this.store.get(id);
    if (!job) throw new Error(`there is no job ${id}`);
    return job;
  }

  /** A new job, brought into the given state. */
  async jobIn(state: (typeof REACHABLE)[number], id: string = state): Promise<Job> {
    await this.enqueue(newJob(id, { maxRetries: state === 'dead' ? 0 : 3 }));
    if (state === 'processing') await this.take(id);
    if (state === 'cancelled') await this.store.cancel([id]);
    if (state === 'failed' || state === 'dead') await this.run(id, 'failed');
    if (state === 'completed') await this.run(id, 'completed');
    return this.job(id);
  }

  /** Everything that matches and can be retried. */
  async retryAll(filter: JobFilter): Promise<number> {
    return (await this.store.changeSome(await this.ids(), filter, { kind: 'retry' })).jobs;
  }

  /** All jobs, in the order they came in. */
  all(): Promise<Job[]> {
    return this.store.list({ sort: 'created', descending: false, limit: null });
  }

  async ids(): Promise<string[]> {
    return (await this.all()).map(({ id }) => id);
  }
}

export const identity = (id: string) => ({ id, host: 'here', pid: 4711, pidStartedAt: '99', bootId: 'boot' });

export const idsOf = (claimed: readonly Claimed[]): string[] => claimed.map(({ job }) => job.id);

/** Just the lease, as a plain object. */
export const leaseOf = ({ seq, run }: Lease): Lease => ({ seq, run });
