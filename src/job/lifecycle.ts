// The state machine as data, and plan(): the only place that decides between retry, dead and completed. Invariant: a
// job changes its state only by an event in this table, from a state listed for the event.

import { type Backoff, backoffSeconds } from './backoff.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type Ending, isFinal, type Job, type JobState, type Outcome } from './job.ts';
import { isPointlessToRetry, judged, snoozeSeconds } from './outcome-rules.ts';

export interface Transition {
  readonly from: readonly JobState[];
  readonly to: JobState;
  readonly help: string;
}

export const TRANSITIONS = {
  unblock: { from: ['blocked'], to: 'pending', help: 'its dependencies finished' },
  forsake: { from: ['blocked'], to: 'cancelled', help: 'a dependency finished with the wrong outcome' },
  block: {
    from: ['pending', 'failed', 'completed', 'dead', 'cancelled'],
    to: 'blocked',
    help: 'a dependency was retried manually',
  },
  claim: { from: ['pending', 'failed'], to: 'processing', help: 'a worker claimed the job' },
  complete: {
    from: ['processing'],
    to: 'completed',
    help: 'exit code 0, or an exit code in `success_codes`',
  },
  fail: { from: ['processing'], to: 'failed', help: 'the attempt failed and retries are left' },
  exhaust: {
    from: ['processing'],
    to: 'dead',
    help: 'the attempt failed and no retry is left, or the exit code is in `no_retry_codes`',
  },
  snooze: { from: ['processing'], to: 'pending', help: 'the job asked to run again later' },
  release: { from: ['processing'], to: 'pending', help: 'the worker was lost or stopped with --force' },
  quarantine: { from: ['processing'], to: 'dead', help: 'too many workers were lost in a row' },
  reject: {
    from: ['processing'],
    to: 'dead',
    help: 'the job record is invalid, or the job is not allowed to run',
  },
  stop: { from: ['processing'], to: 'cancelled', help: 'the job was cancelled while running' },
  cancel: { from: ['blocked', 'pending', 'failed'], to: 'cancelled', help: 'the job was cancelled' },
  retry: {
    from: ['failed', 'completed', 'dead', 'cancelled'],
    to: 'pending',
    help: 'the job was retried manually; attempts restart at 0',
  },
} as const satisfies Record<string, Transition>;

export type Event = keyof typeof TRANSITIONS;

export const allows = (event: Event, state: JobState): boolean =>
  (TRANSITIONS[event].from as readonly JobState[]).includes(state);

/** A job that lost this many workers in a row is assumed to be the cause. */
export const MAX_INTERRUPTIONS_IN_ROW = 3;

/** A job that snoozed this often is assumed to wait for something that never happens. */
export const MAX_SNOOZES = 1000;

/** Settings for a retry, read when the decision is made. */
export type RetryPolicy = Backoff;

/** The effect of an ended attempt on its job, for the store to write. */
export interface Settlement {
  readonly event: Event;
  readonly state: JobState;
  /** Outcome to record for the attempt. */
  readonly outcome: Outcome;
  readonly error: string | null;
  readonly attempts: number;
  readonly interruptions: number;
  readonly interruptionsInRow: number;
  readonly snoozes: number;
  readonly nextRunAt: number | null;
  readonly finishedAt: number | null;
  readonly lastError: string | null;
  readonly fingerprint: string | null;
}

/** Job fields that the decision depends on. */
export type ClaimedJob = Pick<
  Job,
  | 'attempts'
  | 'interruptions'
  | 'interruptionsInRow'
  | 'snoozes'
  | 'maxRetries'
  | 'backoffBase'
  | 'backoffStrategy'
  | 'outcomeRules'
  | 'cancelRequestedAt'
>;

/** Decides the effect of an ended attempt on its job. */
export function plan(job: ClaimedJob, ended: Ending, policy: RetryPolicy, now: number, chance: number): Settlement {
  const ending = withinBounds(job, judged(ended, job.outcomeRules));
  const event = decide(job, ending);
  const state: JobState = TRANSITIONS[event].to;
  const lost = ending.outcome === 'worker_lost';
  const cutShort = lost || ending.outcome === 'released';
  const lastError = lastErrorOf(event, job, ending);
  return {
    event,
    state,
    outcome: ending.outcome,
    error: withRemark(ending),
    attempts: job.attempts - (cutShort || event === 'snooze' ? 1 : 0),
    interruptions: job.interruptions + (lost ? 1 : 0),
    interruptionsInRow: cutShort ? job.interruptionsInRow + (lost ? 1 : 0) : 0,
    snoozes: job.snoozes + (event === 'snooze' ? 1 : 0),
    nextRunAt: nextRunAt(event, job, ending, policy, now, chance),
    finishedAt: isFinal(state) ? now : null,
    lastError,
    fingerprint: fingerprintOf(ending, lastError),
  };
}

/**
 * For such an ending, plan() decides the same for every job without outcome rules: it completes, without an error, and keeps
 * its counts except `interruptionsInRow`, which becomes 0.
 */
export const isPlainSuccess = ({ outcome, signal, error, remark }: Ending): boolean =>
  outcome === 'completed' && signal === null && error === null && !remark;

/** A snooze beyond the maximum becomes a failure. */
function withinBounds(job: ClaimedJob, ending: Ending): Ending {
  if (ending.outcome !== 'snoozed' || job.snoozes < MAX_SNOOZES) return ending;
  return {
    ...ending,
    outcome: 'failed',
    error: `snoozed more than ${MAX_SNOOZES} times`,
  };
}

function decide(job: ClaimedJob, ending: Ending): Event {
  if (ending.outcome === 'completed') return 'complete';
  if (ending.outcome === 'cancelled' || job.cancelRequestedAt !== null) return 'stop';
  if (ending.outcome === 'malformed' || ending.outcome === 'rejected') return 'reject';
  if (ending.outcome === 'released') return 'release';
  if (ending.outcome === 'snoozed') return 'snooze';
  if (ending.outcome === 'worker_lost') {
    return job.interruptionsInRow + 1 >= MAX_INTERRUPTIONS_IN_ROW ? 'quarantine' : 'release';
  }
  if (isPointlessToRetry(ending, job.outcomeRules)) return 'exhaust';
  return job.attempts <= job.maxRetries ? 'fail' : 'exhaust';
}

function nextRunAt(
  event: Event,
  job: ClaimedJob,
  ending: Ending,
  policy: RetryPolicy,
  now: number,
  chance: number,
): number | null {
  if (event === 'release') return now;
  if (event === 'snooze') return now + Math.round(snoozeSeconds(ending) * 1000);
  if (event !== 'fail') return null;
  const own = {
    ...policy,
    base: job.backoffBase ?? policy.base,
    strategy: job.backoffStrategy ?? policy.strategy,
  };
  return now + Math.round(backoffSeconds(own, job.attempts, chance) * 1000);
}

const withRemark = ({ error, exitCode, remark }: Ending): string | null =>
  remark ? `${error ?? `exit code ${exitCode}`}; ${remark}` : error;

function lastErrorOf(event: Event, job: ClaimedJob, ending: Ending): string | null {
  if (event === 'quarantine') return quarantineReason(job);
  if (ending.outcome === 'snoozed') return null; // a snooze is not a failure
  return ending.error;
}

const quarantineReason = (job: ClaimedJob): string =>
  `${job.interruptionsInRow + 1} workers were lost in a row while running the job`;

/** The ending of an attempt whose worker is lost. */
export const lostAfter = (durationMs: number): Ending => ({
  outcome: 'worker_lost',
  exitCode: null,
  signal: null,
  error: 'the worker was lost',
  durationMs: Math.max(0, durationMs),
});
