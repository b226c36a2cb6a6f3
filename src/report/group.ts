// A group as data: how far it is, how it ended, what failed in it.

import { arrayIndexOf } from '../job/flow/array-index.ts';
import { outcomeOfGroup, type ParentOutcome } from '../job/flow/dependencies.ts';
import { FINAL_STATES, type Job, type JobState } from '../job/job.ts';
import { isoTime, type Json } from '../job/wire.ts';
import type { AnyQueue } from '../queue/interface.ts';
import type { GroupRecord } from '../store/store.ts';

type Counts = Readonly<Record<JobState, number>>;

/** More than these nobody reads; a list shows all. */
const SHOWN = 20;

/** The final states of jobs that did not do what they were meant to. */
export const FAILED_ENDS = ['dead', 'cancelled'] as const satisfies readonly JobState[];

export interface GroupReport {
  readonly now: number;
  readonly group: GroupRecord;
  /** The first few that are dead or cancelled. */
  readonly failed: readonly Job[];
  /** The first few that run. */
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
export const hasEnded = ({ counts }: GroupRecord): boolean => outcomeOfGroup(counts) !== null;

const sumOf = (counts: Counts, states: readonly JobState[]): number =>
  states.reduce((sum, state) => sum + counts[state], 0);

/** null: it has not ended. */
export const endOf = ({ counts }: GroupRecord): ParentOutcome | null => outcomeOfGroup(counts);

/** Every state as a number, as status has it. */
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
