// A group as data: its progress, its outcome, and its failed jobs.

import { arrayIndexOf } from '../job/flow/array-index.ts';
import { outcomeOfGroup, type ParentOutcome } from '../job/flow/dependencies.ts';
import { FINAL_STATES, type Job, type JobState } from '../job/job.ts';
import { isoTime, type Json } from '../job/wire.ts';
import type { AnyQueue } from '../queue/interface.ts';
import type { GroupRecord } from '../store/store.ts';

type Counts = Readonly<Record<JobState, number>>;

/** Maximum number of jobs of each kind; `list` shows all. */
const SHOWN = 20;

/** Final states of jobs that did not complete. */
export const FAILED_ENDS = ['dead', 'cancelled'] as const satisfies readonly JobState[];

export interface GroupReport {
  readonly now: number;
  readonly group: GroupRecord;
  /** First dead or cancelled jobs. */
  readonly failed: readonly Job[];
  /** First running jobs. */
  readonly running: readonly Job[];
}

export async function groupReport(queue: AnyQueue, group: GroupRecord): Promise<GroupReport> {
  const first = (states: readonly JobState[]): Promise<Job[]> =>
    queue.list({ group: group.name, states, sort: 'created', descending: false, limit: SHOWN });
  const { counts } = group;
  return {
    now: queue.now(),
    group,
    failed: failedIn(counts) === 0 ? [] : await first(FAILED_ENDS),
    running: counts.processing === 0 ? [] : await first(['processing']),
  };
}

export const sizeOf = (counts: Counts): number => Object.values(counts).reduce((sum, n) => sum + n, 0);
export const endedIn = (counts: Counts): number => sumOf(counts, FINAL_STATES);
export const failedIn = (counts: Counts): number => sumOf(counts, FAILED_ENDS);
export const hasEnded = (group: GroupRecord): boolean => endOf(group) !== null;

const sumOf = (counts: Counts, states: readonly JobState[]): number =>
  states.reduce((sum, state) => sum + counts[state], 0);

/** Returns null if the group has not finished. */
export const endOf = ({ counts }: GroupRecord): ParentOutcome | null => outcomeOfGroup(counts);

/** Has a number for every state, like the status. */
export function groupToJson(group: GroupRecord): Json {
  const { name, counts, concurrency, createdAt } = group;
  return {
    name,
    outcome: endOf(group),
    total: sizeOf(counts),
    ended: endedIn(counts),
    ...counts,
    concurrency,
    created_at: isoTime(createdAt),
  };
}

export const groupReportToJson = ({ group, failed, running }: GroupReport): Json => ({
  ...groupToJson(group),
  failed_jobs: failed.map(briefly),
  running_jobs: running.map(briefly),
});

const briefly = (job: Job): Json => ({
  id: job.id,
  name: job.name,
  array_index: arrayIndexOf(job),
  command: job.command,
  state: job.state,
  started_at: isoTime(job.startedAt),
  exit_code: job.exitCode,
  last_error: job.lastError,
});
