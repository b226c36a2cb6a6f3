// Checks references between jobs by name, and replaces the names with IDs. A name refers to a job of the same workflow
// first. Unknown names may refer to jobs in the queue, which the queue checks.

import { QueueError } from '../errors/errors.ts';
import { inSnakeCase } from '../job/fields/field.ts';
import { findCycle, type WaitsFor } from '../job/flow/cycles.ts';
import { nearest } from '../text/nearest.ts';
import { type FlowJob, isObject, wrong } from './document.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that name dependencies. */
const PARENT_FIELDS: readonly string[] = ['after', 'after_any_end', 'after_failure', 'depends_on'];

const isParentField = (name: string): boolean => PARENT_FIELDS.includes(inSnakeCase(name));

/** A job with an ID and with dependencies as IDs. */
export interface ResolvedJob extends FlowJob {
  readonly id: string;
}

/** True if any of these jobs uses names. */
export const haveReferences = (jobs: readonly unknown[]): boolean =>
  jobs.some((job) => isObject(job) && Object.keys(job).some(isParentField));

export function resolveNames(jobs: readonly FlowJob[], newId: () => string): ResolvedJob[] {
  const withIds = jobs.map((job) => ({
    ...job,
    id: typeof job.fields.id === 'string' ? job.fields.id : newId(),
  }));
  const ids = idsByName(withIds);
  const resolved = withIds.map((job) => {
    const fields = mapParents(job.fields, (parent) => ids.get(parent) ?? parent);
    return { ...job, fields: { ...fields, id: job.id } };
  });
  checkCycles(resolved);
  return resolved;
}

function idsByName(jobs: readonly ResolvedJob[]): Map<string, string> {
  const found = new Map<string, ResolvedJob>();
  for (const job of jobs) {
    if (job.name === null) continue;
    const earlier = found.get(job.name);
    if (earlier)
      throw wrong(job.where, `duplicate job name '${job.name}': see ${earlier.where}`, 'rename one of the jobs');
    found.set(job.name, job);
  }
  return new Map([...found].map(([name, { id }]) => [name, id]));
}

/** Leaves invalid references, such as numbers, to the input schema. */
function mapParents(fields: Fields, change: (parent: string) => string): Fields {
  const one = (entry: unknown): unknown => {
    if (typeof entry === 'string') return change(entry);
    return isObject(entry) && typeof entry.on === 'string' ? { ...entry, on: change(entry.on) } : entry;
  };
  const all = (value: unknown): unknown => (Array.isArray(value) ? value.map(one) : one(value));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isParentField(name) ? all(value) : value]),
  );
}

function parentsOf(fields: Fields): string[] {
  const parents: string[] = [];
  mapParents(fields, (parent) => {
    parents.push(parent);
    return parent;
  });
  return parents;
}

/** The store would also find cycles, but cannot report lines and names. */
function checkCycles(jobs: readonly ResolvedJob[]): void {
  const edges: WaitsFor[] = jobs.flatMap(({ id, fields }) => parentsOf(fields).map((on) => ({ waiting: id, on })));
  const cycle = findCycle(edges);
  if (cycle === null) return;
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const names = cycle.map((id) => byId.get(id)?.name ?? id).join(' -> ');
  const problem = cycle.length === 2 ? 'job depends on itself' : 'dependency cycle';
  throw wrong(
    byId.get(cycle[0] ?? '')?.where ?? 'the workflow',
    `${problem}: ${names}`,
    'remove one of these dependencies',
  );
}

/** Rephrases an error about an unknown dependency in terms of the workflow; returns other errors unchanged. */
export function inWordsOfFlow(error: unknown, jobs: readonly ResolvedJob[]): unknown {
  if (!(error instanceof QueueError) || error.code !== 'unknown_dependency') return error;
  const job = jobs.find(({ id }) => id === error.details.id);
  const parent = String(error.details.parent);
  const near = nearest(
    parent,
    jobs.flatMap(({ name }) => name ?? []),
  );
  const hint = near ? `did you mean '${near}'?` : 'depend on a job name in this workflow, or on a job in the queue';
  return wrong(job?.where ?? 'the workflow', `dependency not found: ${error.details.noun} '${parent}'`, hint);
}
