// Hook jobs, shared by both stores: which jobs the outcome of a job or group requires.

import type { ParentOutcome } from '../../job/flow/dependencies.ts';
import { groupSubject, hookJob, type HookSubject, jobSubject } from '../../job/flow/hook-job.ts';
import { HOOK_NAMES, type Hooks, hookCalls, hooksIn, isWebhook } from '../../job/flow/hooks.ts';
import { newJobId } from '../../job/id.ts';
import { FINAL_STATES, type JobState, type NewJob } from '../../job/job.ts';
import { randomBytes } from '../../system/random.ts';
import { Settings, type Stored } from '../../settings/settings.ts';
import { jobOf, type Row } from './rows.ts';

/** Properties of a queue that all its hooks share. */
export interface HookHome {
  /** Location of the queue, without a password. */
  readonly place: string;
  readonly stored: Stored;
}

export interface NewHookJob {
  readonly job: NewJob;
  /** Null if the job runs with the environment of its worker. */
  readonly environmentId: number | null;
  /** When the reported job or group finished. */
  readonly at: number;
}

/** `row` is the job, with the hooks of its queue as `queue_hooks`. */
export function hookJobsOf(row: Row, outcome: ParentOutcome, run: number, home: HookHome): NewHookJob[] {
  const levels = [hooksIn(row.hooks), hooksIn(row.queue_hooks), hooksOfAll(home.stored)];
  return jobsFor(jobSubject(jobOf(row), outcome, run), outcome, levels, row, home);
}

/** `row` is the last job of the group. */
export function groupHookJobs(
  name: string,
  hooks: Hooks,
  counts: Readonly<Record<JobState, number>>,
  outcome: ParentOutcome,
  run: number,
  row: Row,
  home: HookHome,
): NewHookJob[] {
  return jobsFor(groupSubject(name, counts, run, jobOf(row)), outcome, [hooks], row, home);
}

function jobsFor(
  subject: HookSubject,
  outcome: ParentOutcome,
  levels: readonly Hooks[],
  row: Row,
  { place, stored }: HookHome,
): NewHookJob[] {
  const settings = new Settings(stored);
  const context = {
    place,
    newId: () => newJobId(randomBytes),
    maxRetries: settings.number('max_retries'),
    timeoutSeconds: settings.limit('job_timeout'),
  };
  return hookCalls(outcome, levels).map((call) => ({
    job: hookJob(subject, call, context),
    environmentId: isWebhook(call.target) ? null : (row.environment_id as number | null),
    at: Number(row.updated_at),
  }));
}

/** Parsed like hooks, because a manually edited setting may contain anything. */
const hooksOfAll = (stored: Stored): Hooks =>
  hooksIn(JSON.stringify(Object.fromEntries(HOOK_NAMES.map((name) => [name, stored[name]]))));

/**
 * Selects the last finished job of a group. Queries each state separately, because the index is sorted within a state.
 */
export const LAST_ENDED = (group: string): string =>
  `SELECT max(last) FROM (${FINAL_STATES.map(
    (state) => `SELECT max(seq) AS last FROM jobs WHERE group_name = ${group} AND state = '${state}'`,
  ).join(' UNION ALL ')}) ends`;
