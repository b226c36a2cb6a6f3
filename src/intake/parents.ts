// From what people call a job to its id: new jobs may wait for others by id, by name, or by the start of an id. And the
// word to those who wait, when somebody by hand has ended what they wait for.

import { QueueError } from '../errors/errors.ts';
import { type Dependency, dependencyText } from '../job/flow/dependencies.ts';
import { invalid } from '../job/input/input-readers.ts';
import type { Job, NewJob } from '../job/job.ts';
import type { Store } from '../store/store.ts';

/** Jobs that come in together may name each other. */
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
    refuseContradiction(dependsOn, job.dependsOn);
    resolved.push(job.dependsOn.length === 0 ? job : { ...job, dependsOn });
  }
  return resolved;
}

/**
 * Of the jobs whose failure a job waits for, one failure is enough. If all of them have to succeed as well, the job could never
 * run. `given` are the same dependencies, as they were written.
 */
function refuseContradiction(dependsOn: readonly Dependency[], given: readonly Dependency[]): void {
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
 * The job that is meant by an id, a name or the start of an id. A name is looked for among what the asker waited for
 * first, then in its group.
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

/** An id goes before a name, and a name before the start of an id. */
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

/** Told after each batch how many dependents were looked at so far. */
export type OnDependents = (dependents: number) => void;

/** Passes ends on to the jobs that wait for them, without a worker. */
export async function advanceDependents(store: Store, onDependents: OnDependents = () => {}): Promise<void> {
  for (let total = 0; ; ) {
    const { told, more } = await store.dependencies.advance(ENDS_AT_ONCE);
    if (!more) return;
    total += told;
    onDependents(total);
  }
}
