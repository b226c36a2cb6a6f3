// Jobs as a table. Its columns follow from the jobs it shows: what would be empty or the same in every row stays away.

import { isFinal, type Job, type JobState } from '../../job/job.ts';
import type { Terminal } from '../terminal.ts';
import { commandLine } from './command-line.ts';
import { age, duration, fromNow } from './human.ts';
import type { Style } from './style.ts';
import { type Column, table } from './table.ts';
import { oneLine } from './text.ts';

type Screen = Pick<Terminal, 'style' | 'width'>;

interface JobColumn extends Column {
  readonly when: (jobs: readonly Job[]) => boolean;
  readonly cell: (job: Job, now: number, style: Style) => string;
}

const always = (): boolean => true;
const some = (test: (job: Job) => boolean) => (jobs: readonly Job[]) => jobs.some(test);
const all = (test: (job: Job) => boolean) => (jobs: readonly Job[]) => jobs.every(test);
const isIn =
  (...states: JobState[]) =>
  (job: Job) =>
    states.includes(job.state);

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
  when: some(isIn('pending', 'failed')),
  cell: nextRunOf,
};
const running: JobColumn = { title: 'running', spare: 7, when: all(isIn('processing')), cell: tookOf };
const took: JobColumn = {
  title: 'took',
  spare: 7,
  when: (jobs) => some(isIn('processing', 'completed', 'dead', 'cancelled'))(jobs) && !running.when(jobs),
  cell: tookOf,
};
const finished: JobColumn = {
  title: 'finished',
  spare: 5,
  when: all((job) => isFinal(job.state)),
  cell: (job, now) => fromNow(job.finishedAt, now),
};
const died: JobColumn = { ...finished, title: 'died', when: always };
const lastError: JobColumn = {
  title: 'last error',
  gives: true,
  least: 16,
  spare: 3,
  when: some((job) => errorOf(job) !== ''),
  cell: errorOf,
};

const LIST = [id, state, queue, priority, command, attempts, nextRun, running, took, finished, lastError];
const ONE_STATE = LIST.filter((column) => column !== state);
const DEAD = [id, queue, command, attempts, died, { ...lastError, spare: 1 }];

/** `oneState`: the user asked for a single state, so it need not be said again. */
export const jobTable = (jobs: readonly Job[], oneState: boolean, now: number, screen: Screen): string =>
  draw(oneState ? ONE_STATE : LIST, jobs, now, screen);

export const deadTable = (jobs: readonly Job[], now: number, screen: Screen): string =>
  draw(DEAD, jobs, now, screen);

function draw(
  columns: readonly JobColumn[],
  jobs: readonly Job[],
  now: number,
  { style, width }: Screen,
): string {
  const shown = columns.filter(({ when }) => when(jobs));
  const rows = jobs.map((job) => shown.map(({ cell }) => cell(job, now, style)));
  return table(shown, rows, width, style);
}

/** '2 of 4': starts, of those it may have. */
export const attemptsOf = (job: Job): string => `${job.attempts} of ${job.maxRetries + 1}`;

function nextRunOf(job: Job, now: number): string {
  if (job.nextRunAt === null) return '';
  return fromNow(Math.max(job.nextRunAt, now), now);
}

function tookOf(job: Job, now: number): string {
  if (job.state === 'processing') return age(now - (job.startedAt ?? now));
  return job.durationMs === null ? '' : duration(job.durationMs);
}

/** A job that runs or has completed has put its last error behind it. */
function errorOf(job: Job): string {
  return job.state === 'processing' || job.state === 'completed' ? '' : oneLine(job.lastError ?? '');
}
