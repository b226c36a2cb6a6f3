// The way to the jobs of a page in the order of creation, as data: which index has them in that order, for which values,
// and what is left to compare job by job. An index is followed once for each combination of values, and each of these
// legs is in order, so a page takes no more of any leg than it may look at.

import { STATES } from '../../job/job.ts';
import { type Condition, conditionsOf } from './job-filter.ts';
import type { JobFilter } from '../store.ts';

export interface PagePath {
  readonly table: 'jobs' | 'tags';
  /** The column of the table that has the place of the job in the order of creation. */
  readonly seq: 'seq' | 'job_seq';
  /** null: the table itself is in order. */
  readonly index: string | null;
  /** What every job of the index has; null: all jobs are in it. */
  readonly within: string | null;
  readonly legs: readonly Leg[];
  readonly rest: readonly Condition[];
}

export interface Leg {
  readonly column: string;
  readonly values: readonly string[] | 'every queue';
}

interface Index extends Pick<PagePath, 'table' | 'seq' | 'index' | 'within'> {
  /** It is of use if one of these is asked for; the others then stand for whatever there is. */
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

/** The narrow ones first. */
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

/** An index of the few jobs that can match at all. */
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

/** No name, tag or queue holds a NUL, and not every database can be asked for one. */
function valuesOf(column: string, condition: Condition | undefined): Leg['values'] {
  if (condition) return condition.values.map(String).filter((value) => !value.includes('\0'));
  return column === 'state' ? STATES : 'every queue';
}
