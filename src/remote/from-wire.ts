// Converts a server's JSON to the types of the program: the inverse of src/job/wire.ts and src/report. Names become
// camel case, and times become milliseconds.

import type { Confinement } from '../job/isolation/isolation.ts';
import { confinementFrom } from '../job/input/isolation-input.ts';
import { type AnyField, FIELDS, jsonEntries } from '../job/fields/fields.ts';
import { hasTime } from '../job/fields/shape.ts';
import { type Attempt, type Job, type JobState, STATES } from '../job/job.ts';
import { limitsFromJson } from '../job/input/limits-input.ts';
import { outcomeRulesOf } from '../job/input/outcome-input.ts';
import { NO_OUTPUT } from '../job/output/output.ts';
import { secrets as secretUses } from '../job/input/secret-input.ts';
import { usageFrom } from '../job/usage.ts';
import type * as data from '../library/data.ts';
import type { Status } from '../report/status.ts';
import type { Wait } from '../report/waiting/wait.ts';
import type { QueueView } from '../report/queues.ts';
import type { WorkerView } from '../queue/queue.ts';
import type { GroupRecord, QueueCounts, WaitCounts } from '../store/store.ts';

export const msOf = (time: string | null | undefined): number | null => (time == null ? null : Date.parse(time));

/** Also converts times, whose names end in _at, to milliseconds. */
export function camelCased(json: object): Record<string, unknown> {
  const entries = Object.entries(json).map(([name, value]) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    name.endsWith('_at') ? msOf(value as string | null) : value,
  ]);
  return Object.fromEntries(entries);
}

export function jobFrom(json: data.Job): Job {
  const { timeout_seconds, warn_signal: signal, warn_seconds: seconds } = json;
  const said = {
    successCodes: json.success_codes,
    noRetryCodes: json.no_retry_codes,
    ...(json.snooze_code !== null && { snoozeCode: json.snooze_code }),
    ...(signal !== null && { warnSignal: { signal, seconds } }),
  };
  return {
    ...storedFields(json),
    held: json.held ? (json.held_reason ?? '') : null,
    outcomeRules: outcomeRulesOf(said, timeout_seconds),
    confinement: confinementOf(json),
    usage: usageFrom(json.peak_memory_bytes, json.cpu_user_ms, json.cpu_system_ms),
    interruptionsInRow: 0,
    cancelRequestedAt: null,
  };
}

const storedFields = (json: data.Job): Job =>
  Object.fromEntries(
    jsonEntries()
      .filter(({ field }) => (FIELDS[field] as AnyField).stored !== undefined)
      .map(({ field, name, shape, from }) => {
        const value = json[name];
        if (from) return [field, from(value as never)];
        return [field, hasTime(shape) ? msOf(value as string | null) : value];
      }),
  ) as unknown as Job;

/** Output is loaded on demand. */
export const attemptFrom = ({ worker, ...json }: data.Attempt): Attempt => ({
  ...(camelCased(json) as unknown as Attempt),
  workerId: worker ?? '',
  pidStartedAt: null,
  bootId: '',
  output: NO_OUTPUT,
  usage: usageFrom(json.peak_memory_bytes, json.cpu_user_ms, json.cpu_system_ms),
});

type ConfinedJson = Pick<data.NamedQueue, 'limits' | 'sandbox' | 'user'> &
  Partial<Pick<data.Job, 'recipe' | 'params' | 'secrets'>>;

const confinementOf = ({ limits, sandbox, user, recipe, params, secrets = [] }: ConfinedJson): Confinement | null =>
  confinementFrom({
    ...(limits !== null && { limits: limitsFromJson({ ...limits }) }),
    ...(sandbox !== null && { sandbox }),
    ...(user !== null && { user }),
    ...(recipe != null && { recipe }),
    ...(params != null && { params }),
    ...(secrets.length > 0 && { secrets: secretUses(secrets, 'secrets') }),
  });

type Counts = Readonly<Record<JobState, number>>;

const countsFrom = (json: Counts): Counts => Object.fromEntries(STATES.map((state) => [state, json[state]])) as Counts;

export const groupFrom = (json: data.Group): GroupRecord => ({
  name: json.name,
  concurrency: json.concurrency,
  createdAt: Date.parse(json.created_at),
  counts: countsFrom(json),
});

/** A paused queue without its own pause time is paused together with all queues. */
export const queueFrom = (json: data.NamedQueue): QueueView => ({
  queue: json.queue,
  counts: countsFrom(json),
  workers: json.workers,
  pausedAt: msOf(json.paused_at),
  isAllPaused: json.paused && json.paused_at === null,
  drainingAt: json.draining ? Date.now() : null,
  concurrency: json.concurrency,
  ratePerSecond: json.rate_per_second,
  burst: json.burst,
  notBefore: null,
  hooks: json.hooks,
  confinement: confinementOf(json) ?? {},
});

export const workerFrom = ({ current_jobs: running, ...json }: data.Worker): WorkerView =>
  ({
    ...camelCased(json),
    lastHeartbeat: Date.parse(json.last_heartbeat),
    running,
    onlyJob: null,
    memoryBudget: json.memory_budget_bytes ?? null,
    stopRequested: json.state === 'stopping' ? 'graceful' : null,
  }) as unknown as WorkerView;

type WireCounts = data.Status['queues'][number];

const agoFrom = (seconds: number | null, now: number): number | null =>
  seconds === null ? null : now - seconds * 1000;

const queueCountsFrom = (json: WireCounts, now: number): QueueCounts => ({
  queue: json.queue,
  counts: countsFrom(json),
  oldestPendingAt: agoFrom(json.oldest_pending_seconds, now),
});

const waitCountsFrom = (json: data.Status): WaitCounts => ({
  held: json.held,
  atGate: json.limited,
  groups: json.groups,
  schedules: json.schedules,
  nextTickAt: msOf(json.next_schedule_at),
});

export const statusFrom = (json: data.Status, now: number): Status => ({
  now,
  place: json.db,
  queues: json.queues.map((queue) => queueCountsFrom(queue, now)),
  totals: countsFrom(json),
  oldestPendingAt: agoFrom(json.oldest_pending_seconds, now),
  nextRetryAt: msOf(json.next_retry_at),
  nextRunAt: msOf(json.next_run_at),
  workers: json.workers,
  hosts: json.hosts,
  unserved: json.unserved_queues,
  waits: waitCountsFrom(json),
  paused: json.paused_queues,
  isAllPaused: json.all_paused,
  degraded: json.degraded,
  admission: json.admission ?? [], // missing from older servers
});

export const waitFrom = ({ since, until, ...wait }: data.Wait): Wait => ({
  ...(wait as Pick<Wait, 'reason' | 'message' | 'hint'>),
  since: msOf(since) ?? undefined,
  until: msOf(until) ?? undefined,
});
