// The part of the library facade that changes jobs, by ID or by filter. A change by IDs applies to all or none. A
// change by filter first selects the jobs, then changes them in batches, so that no other process is blocked for long.
// Jobs that no longer match by then stay unchanged.

import { ChangeCheck, reasonOf } from '../intake/change-check.ts';
import type { QueueError } from '../errors/errors.ts';
import { CHANGEABLE, type Change } from '../job/change.ts';
import type { Edit } from '../job/input/edit.ts';
import { type EditInput, readEdit } from '../job/input/edit-input.ts';
import type { Job, JobState } from '../job/job.ts';
import type { Enqueuer } from '../job/isolation/policy.ts';
import { type Rejection, Rejections } from '../job/isolation/rejections.ts';
import { RETRYABLE_STATES } from '../job/state-sets.ts';
import type { WaitingChange } from '../job/waiting-change.ts';
import { JobReading } from './job-reading.ts';
import { advanceDependents, type OnDependents } from '../intake/parents.ts';
import { isAskingFor } from '../store/sql/job-filter.ts';
import type { ChangedSome, ErrorGroup, ErrorStep, JobFilter, Store } from '../store/store.ts';
import type { Zone } from '../time/when.ts';

/** Jobs per transaction. */
const CHANGE_AT_ONCE = 500;

/** Completed jobs are retried only if explicitly requested. */
const RETRIED_UNASKED = RETRYABLE_STATES.filter((state) => state !== 'completed');

export interface Progress {
  /** Called after each batch with the number of processed and changed jobs. */
  readonly onProgress?: (done: number, changed: number) => void;
  /** Called while dependents of the changed jobs are updated. */
  readonly onDependents?: OnDependents;
  /** Called before each batch. */
  readonly isStopped?: () => boolean;
}

/** Result of a bulk change. */
export interface ChangedMany extends Omit<ChangedSome, 'logPaths'> {
  readonly rejections: readonly Rejection[];
}

export class JobControl extends JobReading {
  protected readonly changeCheck: ChangeCheck;

  /** `who` makes the changes; null for a user of this machine. */
  constructor(store: Store, who: Enqueuer | null) {
    super(store);
    this.changeCheck = new ChangeCheck(store, who);
  }

  async retry(idsOrPrefixes: readonly string[], states: readonly JobState[] = RETRYABLE_STATES): Promise<Job[]> {
    const jobs = await this.findAll(idsOrPrefixes);
    await this.changeCheck.expectAll({ kind: 'retry' }, () => Promise.resolve(jobs));
    return this.store.retry(jobs.map(({ id }) => id), states); // biome-ignore format: one line
  }

  async cancel(idsOrPrefixes: readonly string[], onDependents?: OnDependents): Promise<Job[]> {
    const cancelled = await this.store.cancel(await this.idsOfAll(idsOrPrefixes));
    await this.advanceDependents(onDependents);
    return cancelled;
  }

  async remove(idsOrPrefixes: readonly string[], onDependents?: OnDependents): Promise<Job[]> {
    const jobs = await this.findAll(idsOrPrefixes);
    await removeFiles((await this.store.remove(jobs.map(({ id }) => id))).logPaths);
    await this.advanceDependents(onDependents);
    return jobs;
  }

  async change(idsOrPrefixes: readonly string[], change: WaitingChange): Promise<Job[]> {
    const jobs = await this.findAll(idsOrPrefixes);
    await this.changeCheck.expectAll(change, () => Promise.resolve(jobs));
    return this.store.change(jobs.map(({ id }) => id), change); // biome-ignore format: one line
  }

  readEdit(said: EditInput, cwd: string | null, zone: Zone): Edit {
    return readEdit(said, { now: this.store.now(), cwd, zone });
  }

  idsToChange(filter: JobFilter, change: Change): Promise<string[]> {
    return this.store.idsOf({
      ...changeable(filter, change),
      sort: 'created',
      descending: false,
      limit: null,
    });
  }

  /** Returns those of the IDs that currently match and allow the change. */
  async changeableAmong(ids: readonly string[], filter: JobFilter, change: Change): Promise<string[]> {
    const jobs = await this.store.getAll([...new Set(ids)], changeable(filter, change));
    return jobs.map(({ id }) => id);
  }

  async changeMany(
    ids: readonly string[],
    filter: JobFilter,
    change: Change,
    { onProgress = () => {}, onDependents, isStopped = () => false }: Progress = {},
  ): Promise<ChangedMany> {
    const still = changeable(filter, change);
    const judge = await this.changeCheck.judgeOf(change);
    const rejections = new Rejections();
    let jobs = 0;
    const ending: string[] = [];
    for (let at = 0; at < ids.length && !isStopped(); at += CHANGE_AT_ONCE) {
      const batch = ids.slice(at, at + CHANGE_AT_ONCE);
      const allowed = judge ? await this.allowedAmong(batch, still, judge, rejections) : batch;
      const some = await this.store.changeSome(allowed, still, change);
      jobs += some.jobs;
      ending.push(...some.ending);
      await removeFiles(some.logPaths);
      onProgress(Math.min(at + CHANGE_AT_ONCE, ids.length), jobs);
      await aMoment(); // a synchronous store would delay signals
    }
    await this.advanceDependents(onDependents);
    await this.changeCheck.record(rejections.all);
    return { jobs, ending, rejections: rejections.all };
  }

  /** Changes every matching job. */
  async changeAll(filter: JobFilter, change: Change): Promise<number> {
    return (await this.changeMany(await this.idsToChange(filter, change), filter, change)).jobs;
  }

  errorGroups(filter: JobFilter, limit: number): Promise<ErrorGroup[]> {
    return this.store.errorGroups(filter, limit);
  }

  /** Counts dead jobs by error and time step, starting at `from`. */
  errorTrend(filter: JobFilter, from: number, stepMs: number): Promise<ErrorStep[]> {
    return this.store.errorTrend(filter, from, stepMs);
  }

  /** Updates the dependents of finished jobs without a worker. */
  protected advanceDependents(onDependents?: OnDependents): Promise<void> {
    return advanceDependents(this.store, onDependents);
  }

  /** Returns the jobs that the policy allows to be changed. */
  private async allowedAmong(
    ids: readonly string[],
    filter: JobFilter,
    judge: (job: Job) => QueueError | null,
    rejections: Rejections,
  ): Promise<string[]> {
    const allowed: string[] = [];
    for (const job of await this.store.getAll(ids, filter)) {
      const error = judge(job);
      if (error === null) allowed.push(job.id);
      else rejections.add(reasonOf(error));
    }
    return allowed;
  }

  private async idsOfAll(idsOrPrefixes: readonly string[]): Promise<string[]> {
    return (await this.findAll(idsOrPrefixes)).map(({ id }) => id);
  }
}

function changeable(filter: JobFilter, { kind }: Change): JobFilter {
  const isUnasked = kind === 'retry' && !isAskingFor(filter, 'states');
  const states = isUnasked ? RETRIED_UNASKED : CHANGEABLE[kind];
  return { states, ...(kind === 'release' && { held: true }), and: [filter] };
}

/** Yields to the event loop. */
export const aMoment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Loaded on demand, because most commands delete nothing. */
export async function removeFiles(logPaths: readonly string[]): Promise<void> {
  if (logPaths.length === 0) return;
  const { removeLogs } = await import('../process/output/log-file.ts');
  removeLogs(logPaths);
}
