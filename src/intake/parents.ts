// Resolves dependencies of new jobs, given by ID, name or ID prefix, to IDs. Also updates dependents after a manual
// change to their dependencies.

import { QueueError } from '../errors/errors.ts';
import { type Dependency, dependencyText } from '../job/flow/dependencies.ts';
import { invalid } from '../job/input/input-readers.ts';
import type { Job, NewJob } from '../job/job.ts';
import type { Store } from '../store/store.ts';

/** Jobs enqueued together may refer to each other. */
export async function withParents(store: Store, jobs: readonly NewJob[]): Promise<readonly NewJob[]> {
  if (jobs.every(({ dependsOn }) => dependsOn.length === 0)) return jobs;
  const own = new Map(jobs.map(({ id, name }) => [name ?? id, id]));
  const ids = new Set(jobs.map(({ id }) => id));
  const known = new Map<string, string>();
  const resolve = async (job: NewJob, dependency: Dependency): Promise<Dependency> => {
    const { kind, on } = dependency;
    if (kind === 'group' || ids.has(on)) return dependency;
    const key = `${job.group ?? ''}\0${on}`;
    const id = own.get(on) ?? known.get(key) ?? (await idOf(store, job, on));
    known.set(key, id);
    return { ...dependency, on: id };
  };
  const resolved: NewJob[] = [];
  for (const job of jobs) {
    const dependsOn: Dependency[] = [];
    for (const dependency of job.dependsOn) dependsOn.push(await resolve(job, dependency));
    rejectContradiction(dependsOn, job.dependsOn);
    resolved.push(job.dependsOn.length === 0 ? job : { ...job, dependsOn });
  }
  return resolved;
}

/**
 * If every dependency that must fail must also succeed, the job could never run. `given` has the dependencies as
 * written.
 */
function rejectContradiction(dependsOn: readonly Dependency[], given: readonly Dependency[]): void {
  const mustSucceed = ({ kind, on }: Dependency): boolean =>
    dependsOn.some((one) => one.rule === 'success' && one.kind === kind && one.on === on);
  const failures = dependsOn.filter(({ rule }) => rule === 'failure');
  if (failures.length === 0 || !failures.every(mustSucceed)) return;
  const parent = given.find(({ rule }) => rule === 'failure') as Dependency;
  throw invalid(
    `the job would depend on both the success and the failure of ${dependencyText(parent)} and could never run`,
    `depend on either outcome with --after-any-end ${dependencyText(parent)}`,
  );
}

/**
 * Finds a job by ID, name or ID prefix. Names are looked up among the asking job's dependencies first, then in its
 * group.
 */
export async function jobCalled(store: Store, given: string, askerId: string | undefined): Promise<Job> {
  const byId = await store.get(given);
  if (byId) return byId;
  const asker = askerId === undefined ? null : await store.get(askerId);
  const parents = (asker?.dependsOn ?? []).filter(({ kind }) => kind === 'job').map(({ on }) => on);
  const waitedFor = parents.length === 0 ? [] : await store.getAll(parents, {});
  const named = waitedFor.findLast(({ name }) => name === given);
  return named ?? (await store.findNamed(given, asker?.group ?? null)) ?? store.find(given);
}

/** IDs take precedence over names, and names over ID prefixes. */
async function idOf(store: Store, job: NewJob, given: string): Promise<string> {
  const named = (await store.get(given)) ?? (await store.findNamed(given, job.group));
  if (named) return named.id;
  try {
    return (await store.find(given)).id;
  } catch (error) {
    if (!(error instanceof QueueError) || error.code !== 'job_not_found') throw error;
    throw new QueueError('unknown_dependency', {
      id: job.id,
      noun: 'job',
      parent: given,
      hint: 'queuectl list',
    });
  }
}

const ENDS_AT_ONCE = 500;

/** Called after each batch with the number of dependents processed so far. */
export type OnDependents = (dependents: number) => void;

/** Updates the dependents of finished jobs without a worker. */
export async function advanceDependents(store: Store, onDependents: OnDependents = () => {}): Promise<void> {
  for (let total = 0; ; ) {
    const { told, more } = await store.dependencies.advance(ENDS_AT_ONCE);
    if (!more) return;
    total += told;
    onDependents(total);
  }
}
