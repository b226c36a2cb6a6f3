// What a person does to jobs that are there: the part of the library facade that changes them, by ids or by a filter.
// By ids it is all or none. By a filter, which jobs are meant is settled first; then they are changed a bounded number at a
// time, so that nobody is locked out for long, and a job that no longer matches when its turn comes is left alone.

import { checkConfinement } from './confinement-check.ts';
import { QueueError } from './errors.ts';
import { checkSecrets } from './intake.ts';
import { CHANGEABLE, type Change } from './job/change.ts';
import { confinementAfter } from './job/confinement-edit.ts';
import type { Edit, HookChange } from './job/edit.ts';
import { type EditInput, readEdit } from './job/edit-input.ts';
import type { Hooks } from './job/hooks.ts';
import type { Job, JobState } from './job/job.ts';
import type { Enqueuer, PolicySubject } from './job/policy.ts';
import { RETRYABLE_STATES } from './job/state-sets.ts';
import type { WaitingChange } from './job/waiting-change.ts';
import { JobReading } from './job-reading.ts';
import { tellWaiting } from './parents.ts';
import { policyOf } from './settings/policy.ts';
import { Settings } from './settings/settings.ts';
import { isAskingFor } from './store/job-filter.ts';
import type { ChangedSome, ErrorGroup, ErrorStep, JobFilter, Store } from './store/store.ts';
import type { Zone } from './time/when.ts';

/** In one transaction. */
const CHANGE_AT_ONCE = 500;

/** Jobs that completed are run again only if somebody says so. */
const RETRIED_UNASKED = RETRYABLE_STATES.filter((state) => state !== 'completed');

export interface Progress {
  /** Told after each batch, with how many jobs were looked at, and how many of them were changed. */
  readonly onProgress?: (done: number, changed: number) => void;
  /** Asked before each batch. */
  readonly isStopped?: () => boolean;
}

export class JobControl extends JobReading {
  /** Who changes them; null: whoever sits at this machine. */
  private readonly who: Enqueuer | null;

  constructor(store: Store, who: Enqueuer | null) {
    super(store);
    this.who = who;
  }

  /** Runs again now, attempts from 0. `states` narrows what may be retried. */
  async retry(
    idsOrPrefixes: readonly string[],
    states: readonly JobState[] = RETRYABLE_STATES,
  ): Promise<Job[]> {
    const jobs = await this.findAll(idsOrPrefixes);
    await this.checkPolicy(() => Promise.resolve(jobs));
    return this.store.retry(jobs.map(({ id }) => id), states); // biome-ignore format: one line
  }

  /** Running jobs are asked to end; their state follows when their worker has ended them. */
  async cancel(idsOrPrefixes: readonly string[]): Promise<Job[]> {
    const cancelled = await this.store.cancel(await this.idsOfAll(idsOrPrefixes));
    await this.tellWaiting();
    return cancelled;
  }

  /** Removes jobs with their history and logs; answers what they were. */
  async remove(idsOrPrefixes: readonly string[]): Promise<Job[]> {
    const jobs = await this.findAll(idsOrPrefixes);
    await removeFiles((await this.store.remove(jobs.map(({ id }) => id))).logPaths);
    await this.tellWaiting();
    return jobs;
  }

  /** Held, released, run now or edited: jobs that wait. Else wrong_state, or not_held. */
  async change(idsOrPrefixes: readonly string[], change: WaitingChange): Promise<Job[]> {
    const jobs = await this.findAll(idsOrPrefixes);
    await this.checkEdit(change, () => Promise.resolve(jobs));
    return this.store.change(jobs.map(({ id }) => id), change); // biome-ignore format: one line
  }

  /** What a user wants to be different, checked as a new job would be. null takes a field back. */
  readEdit(said: EditInput, cwd: string | null, zone: Zone): Edit {
    return readEdit(said, { now: this.store.now(), cwd, zone });
  }

  /** The jobs that match and can be changed so, at this moment, in the order they came in. */
  idsToChange(filter: JobFilter, change: Change): Promise<string[]> {
    return this.store.idsOf({
      ...changeable(filter, change),
      sort: 'created',
      descending: false,
      limit: null,
    });
  }

  /** Of the jobs with these ids, those that match and can be changed so, at this moment. */
  async changeableAmong(ids: readonly string[], filter: JobFilter, change: Change): Promise<string[]> {
    const jobs = await this.store.getAll([...new Set(ids)], changeable(filter, change));
    return jobs.map(({ id }) => id);
  }

  /** Changes those of the ids that still match. Answers what was changed, also when it was stopped on the way. */
  async changeMany(
    ids: readonly string[],
    filter: JobFilter,
    change: Change,
    { onProgress = () => {}, isStopped = () => false }: Progress = {},
  ): Promise<Omit<ChangedSome, 'logPaths'>> {
    const still = changeable(filter, change);
    await this.checkEdit(change, () => this.store.getAll(ids, still));
    let jobs = 0;
    const ending: string[] = [];
    for (let at = 0; at < ids.length && !isStopped(); at += CHANGE_AT_ONCE) {
      const some = await this.store.changeSome(ids.slice(at, at + CHANGE_AT_ONCE), still, change);
      jobs += some.jobs;
      ending.push(...some.ending);
      await removeFiles(some.logPaths);
      onProgress(Math.min(at + CHANGE_AT_ONCE, ids.length), jobs);
      await aMoment(); // a store that never waits would else keep signals, and whoever wants to stop it, waiting
    }
    await this.tellWaiting();
    return { jobs, ending };
  }

  /** Everything that matches. */
  async changeAll(filter: JobFilter, change: Change): Promise<number> {
    return (await this.changeMany(await this.idsToChange(filter, change), filter, change)).jobs;
  }

  /** Dead jobs by what they died of, the most frequent first. */
  errorGroups(filter: JobFilter, limit: number): Promise<ErrorGroup[]> {
    return this.store.errorGroups(filter, limit);
  }

  /** How many dead jobs of each kind died within each step of time from `from` on. */
  errorTrend(filter: JobFilter, from: number, stepMs: number): Promise<ErrorStep[]> {
    return this.store.errorTrend(filter, from, stepMs);
  }

  /** Jobs that wait for others learn what has ended, without a worker having to come. */
  protected tellWaiting(): Promise<void> {
    return tellWaiting(this.store);
  }

  /** What a job would be after an edit must be allowed as a new one would have to be. */
  private async checkEdit(change: Change, jobs: () => Promise<readonly Job[]>): Promise<void> {
    if (change.kind !== 'edit') return;
    const { edit } = change;
    if (edit.command !== undefined) for (const job of await jobs()) refuseIfOfRecipe(job);
    const after = async () => (await jobs()).map((job) => edited(job, edit));
    if (edit.confinement !== undefined || edit.queue !== undefined)
      checkConfinement(await after(), new Settings(await this.store.settings()));
    const { secrets } = edit.confinement ?? {};
    if (secrets !== undefined) await checkSecrets(this.store, [{ confinement: { secrets } }]);
    await this.checkPolicy(after);
  }

  /** Most queues have no policy, and then nothing is looked up for it. */
  private async checkPolicy(jobs: () => Promise<readonly PolicySubject[]>): Promise<void> {
    const settings = new Settings(await this.store.settings());
    if (policyOf(settings) === null) return;
    const { checkNew } = await import('./policy-check.ts');
    await checkNew(this.store, await jobs(), { settings, who: this.who, variables: null });
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

function refuseIfOfRecipe({ id, confinement }: Job): void {
  if (confinement?.recipe === undefined) return;
  throw new QueueError('invalid_job', {
    problem: `job '${id}' was made from the recipe '${confinement.recipe.name}', which makes its command`,
    hint: 'cancel it, and enqueue another in its place',
  });
}

/** The job as it would be then. */
function edited(job: Job, edit: Edit): PolicySubject {
  const { hooks = {}, confinement, outcome: _, ...fields } = edit;
  return {
    ...job,
    ...fields,
    hooks: withChange(job.hooks, hooks),
    confinement: confinement ? confinementAfter(job.confinement, confinement) : job.confinement,
  };
}

const withChange = (hooks: Hooks, change: HookChange): Hooks =>
  Object.fromEntries(Object.entries({ ...hooks, ...change }).filter(([, target]) => target !== null));

const aMoment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Loaded when needed, as most commands remove nothing. */
export async function removeFiles(logPaths: readonly string[]): Promise<void> {
  if (logPaths.length === 0) return;
  const { removeLogs } = await import('./process/log-file.ts');
  removeLogs(logPaths);
}
