// The queue as a few plain collections: what a store is compared with. No engine, no index, nothing saved.

import type { Attempt, Job } from '../../src/job/job.ts';
import type { SettingValue, Stored } from '../../src/settings/settings.ts';
import type { Lease, WorkerRecord } from '../../src/store/store.ts';
import { T0 } from '../support/jobs.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A job with what only the store knows of it. A job removed and enqueued again is another one. */
export interface Entry {
  readonly job: Mutable<Job>;
  readonly attempts: Mutable<Attempt>[];
  /** Its time has come once; a clock that is set back does not take that away. */
  ready: boolean;
}

/** A lease that was handed out. `seq` is the store's own; the model only remembers it. */
export interface Handed extends Lease {
  readonly entry: Entry;
}

export type Registered = Mutable<Omit<WorkerRecord, 'running'>>;

export class Model {
  now = T0;
  /** In the order they came in. */
  readonly jobs = new Map<string, Entry>();
  readonly workers = new Map<string, Registered>();
  readonly settings = new Map<string, SettingValue>();
  readonly handed: Handed[] = [];

  entries(): Entry[] {
    return [...this.jobs.values()];
  }

  held(workerId: string): Entry[] {
    return this.entries().filter(({ job }) => job.lockedBy === workerId);
  }

  holds({ entry, run }: Handed): boolean {
    const { id, state } = entry.job;
    return this.jobs.get(id) === entry && state === 'processing' && entry.attempts.length === run;
  }

  /** The leases of these jobs, which run. */
  leases(entries: readonly Entry[]): Handed[] {
    return this.handed.filter((lease) => this.holds(lease) && entries.includes(lease.entry));
  }

  stored(): Stored {
    return Object.fromEntries(this.settings);
  }
}

/** What the store must reject. */
export class Rejected extends Error {
  readonly code: string;
  readonly id: string;
  readonly position: number | undefined;

  constructor(code: string, id: string, position?: number) {
    super(`${code}: ${id}`);
    this.code = code;
    this.id = id;
    this.position = position;
  }
}
