// Jobs as a table. Columns that would be empty or equal in all rows are left out. The first page of a list determines
// the layout.

import { arrayIndexOf } from '../../job/flow/array-index.ts';
import { isFinal, type Job } from '../../job/job.ts';
import { isClaimable, isRunning } from '../../job/state-sets.ts';
import { sizeText } from '../../text/size.ts';
import type { Screen } from '../terminal.ts';
import { commandLine } from './kit/command-line.ts';
import { age, duration, fromNow } from './kit/human.ts';
import { progressOf } from './inside.ts';
import type { Style } from './kit/style.ts';
import { type Column, headOf, layoutFor, rowOf } from './kit/table.ts';
import { oneLine } from './kit/text.ts';

export interface JobColumn extends Column {
  readonly when: (jobs: readonly Job[]) => boolean;
  /** Shown only if all jobs are of one kind, which is unknown while a long list is read. */
  readonly ofOneKind?: boolean;
  readonly cell: (job: Job, now: number, style: Style) => string;
}

const always = (): boolean => true;
const some = (test: (job: Job) => boolean) => (jobs: readonly Job[]) => jobs.some(test);
const all = (test: (job: Job) => boolean) => (jobs: readonly Job[]) => jobs.every(test);

const id: JobColumn = { title: 'id', when: always, cell: (job) => job.id };
const state: JobColumn = {
  title: 'state',
  when: always,
  cell: (job, _, style) => style.state(job.state)(job.state),
};
const queue: JobColumn = {
  title: 'queue',
  spare: 2,
  when: (jobs) => new Set(jobs.map((job) => job.queue)).size > 1,
  cell: (job) => job.queue,
};
const priority: JobColumn = {
  title: 'priority',
  align: 'right',
  spare: 6,
  when: some((job) => job.priority !== 0),
  cell: (job) => String(job.priority),
};
const arrayIndex: JobColumn = {
  title: 'index',
  align: 'right',
  when: some((job) => arrayIndexOf(job) !== null),
  cell: (job) => String(arrayIndexOf(job) ?? ''),
};
const command: JobColumn = {
  title: 'command',
  gives: true,
  least: 16,
  when: always,
  cell: (job) => commandLine(job.command),
};
const attempts: JobColumn = { title: 'attempts', spare: 4, when: always, cell: (job) => attemptsOf(job) };
const nextRun: JobColumn = {
  title: 'next run',
  spare: 1,
  when: some(({ state, held }) => isClaimable(state) || held !== null),
  cell: nextRunOf,
};
const running: JobColumn = {
  title: 'running',
  spare: 7,
  when: all(({ state }) => isRunning(state)),
  ofOneKind: true,
  cell: tookOf,
};
const progress: JobColumn = {
  title: 'progress',
  gives: true,
  least: 5,
  spare: 8,
  when: some((job) => progressOf(job) !== ''),
  cell: progressOf,
};
const took: JobColumn = {
  title: 'took',
  spare: 7,
  when: (jobs) => some(({ state }) => isRunning(state) || isFinal(state))(jobs) && !running.when(jobs),
  cell: tookOf,
};
const finished: JobColumn = {
  title: 'finished',
  spare: 5,
  when: all((job) => isFinal(job.state)),
  ofOneKind: true,
  cell: (job, now) => fromNow(job.finishedAt, now),
};
const died: JobColumn = { ...finished, title: 'became dead', when: always, ofOneKind: false };
const lastError: JobColumn = {
  title: 'last error',
  gives: true,
  least: 16,
  spare: 3,
  when: some((job) => errorOf(job) !== ''),
  cell: errorOf,
};

export const LIST: readonly JobColumn[] = [
  id,
  state,
  queue,
  priority,
  arrayIndex,
  command,
  attempts,
  nextRun,
  running,
  progress,
  took,
  finished,
  lastError,
];
export const DEAD: readonly JobColumn[] = [id, queue, arrayIndex, command, attempts, died, { ...lastError, spare: 1 }];
/** For groups: failed and running jobs. */
export const FAILED: readonly JobColumn[] = [id, state, arrayIndex, command, { ...lastError, spare: 1 }];
export const RUNNING: readonly JobColumn[] = [id, state, arrayIndex, command, attempts, running];
/** Columns for fields that are not shown as in JSON. */
export const BY_FIELD: Readonly<Record<string, JobColumn>> = {
  id,
  state,
  queue,
  priority,
  command,
  attempts,
  next_run_at: nextRun,
  last_error: lastError,
  peak_memory_bytes: {
    title: 'peak memory',
    when: () => true,
    cell: ({ usage }) => (usage?.peakMemoryBytes == null ? '' : sizeText(usage.peakMemoryBytes)),
  },
};
export type JobColumns = readonly JobColumn[];

/** The same columns, but due jobs show why they cannot run. */
export const withObstacles = (columns: JobColumns, obstacleOf: (job: Job) => string | undefined): JobColumns =>
  columns.map((column) =>
    column.cell === nextRunOf
      ? { ...column, cell: (job, now) => (job.held === null && obstacleOf(job)) || nextRunOf(job, now) }
      : column,
  );

/** A table that is written page by page. `isAll`: the first page is the only one. */
export interface JobTable {
  readonly head: string;
  readonly rows: (jobs: readonly Job[], now: number) => string[];
}

export function jobTable(
  columns: JobColumns,
  first: readonly Job[],
  isAll: boolean,
  now: number,
  { style, width }: Screen,
): JobTable {
  const shown = columns.filter((column) => (isAll ? column.when(first) : !column.ofOneKind));
  const cells = (job: Job, at: number): string[] => shown.map(({ cell }) => cell(job, at, style));
  const layout = layoutFor(
    shown,
    first.map((job) => cells(job, now)),
    width,
  );
  return {
    head: headOf(layout, style),
    rows: (jobs, at) => jobs.map((job) => rowOf(layout, cells(job, at))),
  };
}

/** Returns '2 of 4': attempts and their maximum. */
export const attemptsOf = (job: Job): string => `${job.attempts} of ${job.maxRetries + 1}`;

function nextRunOf(job: Job, now: number): string {
  if (job.held !== null && !isFinal(job.state)) return 'held';
  if (job.nextRunAt === null) return '';
  return fromNow(Math.max(job.nextRunAt, now), now);
}

function tookOf(job: Job, now: number): string {
  if (isRunning(job.state)) return age(now - (job.startedAt ?? now));
  return job.durationMs === null ? '' : duration(job.durationMs);
}

/** The last error of running and completed jobs is out of date. */
function errorOf(job: Job): string {
  return isRunning(job.state) || job.state === 'completed' ? '' : oneLine(job.lastError ?? '');
}
