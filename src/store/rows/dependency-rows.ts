// Dependencies, shared by both stores.

import { QueueError } from '../../errors/errors.ts';
import { findCycle, type WaitsFor } from '../../job/flow/cycles.ts';
import { type Dependency, dependencyText, type Edge } from '../../job/flow/dependencies.ts';
import { FIELDS } from '../../job/fields/fields.ts';
import type { Row } from './rows.ts';
import type { Link } from '../store.ts';

export const EDGE_COLUMNS = 'kind, parent, rule, outcome';

export const edgeOf = (row: Row): Edge => ({
  kind: row.kind as Edge['kind'],
  on: row.parent as string,
  rule: row.rule as Edge['rule'],
  outcome: row.outcome as Edge['outcome'],
});

export const linkOf = (row: Row): Link => ({
  ...edgeOf(row),
  child: String(row.child),
  childSeq: Number(row.seq),
  parentSeq: row.parent_seq === null ? null : Number(row.parent_seq),
});

/**
 * Selects dependencies together with their child, by either end. `jobs` and `groups` are comparisons with the wanted
 * IDs and names.
 */
export const linksOf = (jobs: string, groups: string): string => `
  SELECT c.id AS child, d.kind, d.parent, d.rule, d.outcome, c.seq, d.position, d.parent_seq
    FROM jobs c JOIN dependencies d ON d.job_seq = c.seq WHERE c.id ${jobs}
  UNION
  SELECT c.id, d.kind, d.parent, d.rule, d.outcome, c.seq, d.position, d.parent_seq
    FROM jobs p JOIN dependencies d ON d.parent_seq = p.seq JOIN jobs c ON c.seq = d.job_seq
    WHERE p.id ${jobs} AND d.kind = 'job'
  UNION
  SELECT c.id, d.kind, d.parent, d.rule, d.outcome, c.seq, d.position, d.parent_seq
    FROM dependencies d JOIN jobs c ON c.seq = d.job_seq WHERE d.kind = 'group' AND d.parent ${groups}
  ORDER BY 6, 7`;

export const unknownParent = (id: string, dependency: Dependency): QueueError =>
  new QueueError('unknown_dependency', {
    id,
    noun: dependency.kind,
    parent: dependency.on,
    hint: dependency.kind === 'group' ? 'queuectl group list' : 'queuectl list',
  });

export const dependsOnIn = (row: Row): readonly Dependency[] => FIELDS.dependsOn.stored.read(row);

/** Expects job IDs, and group names with the prefix `group:`. */
export function rejectCycle(waits: readonly WaitsFor[]): void {
  const cycle = findCycle(waits);
  if (cycle) throw new QueueError('dependency_cycle', { path: cycle.join(' -> ') });
}

/** A job waits for its parents. A job that waits for a group waits for its jobs. */
export const waitsOf = (id: string, group: string | null, edge: Dependency): WaitsFor[] => [
  { waiting: id, on: dependencyText(edge) },
  ...(group === null ? [] : [{ waiting: `group:${group}`, on: id }]),
];

/** Returns the new `depends_on` after jobs were skipped, or null if it is unchanged. */
export function redirected(row: Row, instead: ReadonlyMap<string, string>): string | null {
  const before = { dependsOn: dependsOnIn(row) };
  const after = withRedirected(before, instead);
  return after === before ? null : JSON.stringify(after.dependsOn);
}

/** Replaces dependencies on skipped jobs by dependencies on the jobs that exist instead. */
export function withRedirected<T extends { readonly dependsOn: readonly Dependency[] }>(
  job: T,
  instead: ReadonlyMap<string, string>,
): T {
  const isMeant = ({ kind, on }: Dependency): boolean => kind === 'job' && instead.has(on);
  if (!job.dependsOn.some(isMeant)) return job;
  const dependsOn = job.dependsOn.map((one) => (isMeant(one) ? { ...one, on: instead.get(one.on) ?? one.on } : one));
  return { ...job, dependsOn };
}
