// How to find the jobs of a page sorted by creation, as data: which index has them in that order, for which values, and
// which conditions remain to be compared job by job. The index is followed once for each combination of values. Each of
// these legs is sorted, so a page reads no more of a leg than its limit.

import { STATES } from '../../job/job.ts';
import { type Condition, conditionsOf } from './job-filter.ts';
import type { JobFilter } from '../store.ts';

export interface PagePath {
  readonly table: 'jobs' | 'tags';
  /** The column with the seq of the job. */
  readonly seq: 'seq' | 'job_seq';
  /** Null if the table itself is sorted. */
  readonly index: string | null;
  /** Condition that every job in the index meets; null if the index contains all jobs. */
  readonly within: string | null;
  readonly legs: readonly Leg[];
  readonly rest: readonly Condition[];
}

export interface Leg {
  readonly column: string;
  readonly values: readonly string[] | 'every queue';
}

interface Index extends Pick<PagePath, 'table' | 'seq' | 'index' | 'within'> {
  /** The index is useful if the filter has one of these columns. All values of the others are then followed. */
  readonly asked: readonly string[];
  readonly columns: readonly string[];
}

const ofJobs = (index: string, columns: readonly string[], asked = columns.slice(0, 1)): Index => ({
  table: 'jobs',
  seq: 'seq',
  index,
  within: null,
  asked,
  columns,
});

/** Sorted from narrow to wide. */
const INDEXES: readonly Index[] = [
  ofJobs('jobs_name', ['name']),
  ofJobs('jobs_by_key', ['key']),
  ofJobs('jobs_by_fingerprint', ['fingerprint']),
  ofJobs('jobs_schedule', ['schedule', 'state']),
  { table: 'tags', seq: 'job_seq', index: null, within: null, asked: ['tag'], columns: ['tag'] },
  ofJobs('jobs_group', ['group_name', 'state']),
  ofJobs('jobs_by_state', ['state', 'queue'], ['state', 'queue']),
];

export function pathOf(filter: JobFilter): PagePath {
  const conditions = conditionsOf(filter);
  const index = INDEXES.find(({ asked }) => asked.some((column) => conditionOn(conditions, column)));
  if (!index) return { ...(partOf(conditions) ?? EVERY_JOB), legs: [], rest: conditions };
  const used = index.columns.map((column) => conditionOn(conditions, column));
  return {
    ...index,
    legs: index.columns.map((column, i) => ({ column, values: valuesOf(column, used[i]) })),
    rest: conditions.filter((condition) => !used.includes(condition)),
  };
}

const EVERY_JOB = { table: 'jobs', seq: 'seq', index: null, within: null } as const;

/** Returns an index that contains only the few jobs that can match. */
function partOf(conditions: readonly Condition[]): Omit<PagePath, 'legs' | 'rest'> | null {
  const asksFor = (column: string, compares: Condition['compares']): Condition | undefined =>
    conditions.find((one) => one.columns.join() === column && one.compares === compares);
  if (asksFor('held', 'is set')?.values[0] === true)
    return { ...EVERY_JOB, index: 'jobs_with_hold', within: 'held IS NOT NULL' };
  if (asksFor('last_error', 'contains'))
    return { ...EVERY_JOB, index: 'jobs_with_error', within: 'last_error IS NOT NULL' };
  return null;
}

const EQUALITIES: readonly Condition['compares'][] = ['one of', 'our word'];

const conditionOn = (conditions: readonly Condition[], column: string): Condition | undefined =>
  conditions.find(({ columns, compares }) =>
    column === 'tag' ? compares === 'tagged' : columns[0] === column && EQUALITIES.includes(compares),
  );

/** No name, tag or queue contains a NUL, and PostgreSQL rejects it as a parameter. */
function valuesOf(column: string, condition: Condition | undefined): Leg['values'] {
  if (condition) return condition.values.map(String).filter((value) => !value.includes('\0'));
  return column === 'state' ? STATES : 'every queue';
}
