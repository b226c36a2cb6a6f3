// Schedules over HTTP.

import { QueueError } from '../errors/errors.ts';
import type { Answer, Body } from '../library/caller.ts';
import type { Schedules } from '../queue/interface.ts';
import type { JobTemplate } from '../schedule/job-template.ts';
import { previewOf, type ScheduleInput } from '../schedule/preview.ts';
import type { Schedule, Tick } from '../schedule/schedule.ts';
import type { SpecInput } from '../schedule/spec.ts';
import type { Timing } from '../schedule/timing.ts';
import { localZone } from '../schedule/zone.ts';
import { camelCased, jobFrom, msOf } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';
import { templateToWire } from './to-wire.ts';

const HIDDEN = '***';
const CREATED = 201;

export function remoteSchedules(caller: RemoteCaller): Schedules {
  const all = async (): Promise<Schedule[]> => (await caller.call('listSchedules', {})).schedules.map(scheduleFrom);
  const get = async (name: string): Promise<Schedule> => scheduleFrom(await caller.call('getSchedule', { name }));
  /** Finds all schedules before the first change. */
  const each = async (
    names: readonly string[],
    change: (name: string) => Promise<Wire | null>,
  ): Promise<Schedule[]> => {
    const found: Schedule[] = [];
    for (const name of new Set(names)) found.push(await get(name));
    const changed: Schedule[] = [];
    for (const schedule of found) {
      const now = await change(schedule.name);
      changed.push(now === null ? schedule : scheduleFrom(now));
    }
    return changed;
  };
  const preview = async (inputs: readonly ScheduleInput[]): Promise<Schedule[]> =>
    previewOf(inputs, await all(), Date.now());
  return {
    all,
    get,
    preview,
    /** Checks all schedules before sending the first. */
    add: async (inputs) => {
      await preview(inputs);
      const added: Schedule[] = [];
      for (const { name, job, ...input } of inputs) {
        const body = { name, ...specToWire({ zone: localZone(), ...input }), job: templateToWire(job) };
        added.push(scheduleFrom(await caller.call('addSchedule', {}, body)));
      }
      return added;
    },
    ticks: async (name, limit) =>
      (await caller.call('listTicks', { name, limit })).ticks.map((tick) => ({
        at: Date.parse(tick.scheduled_at),
        outcome: tick.outcome,
        reason: tick.reason as Tick['reason'],
        jobId: tick.job,
        decidedAt: Date.parse(tick.decided_at),
      })),
    remove: (names) => each(names, (name) => caller.call('removeSchedule', { name })),
    pause: (names) => each(names, (name) => caller.call('pauseSchedule', { name })),
    resume: (names) => each(names, (name) => caller.call('resumeSchedule', { name })),
    edit: async (name, input, job) => {
      if (job && Object.values(job.env ?? {}).includes(HIDDEN)) throw hiddenVariables(name);
      const body = { ...specToWire(input), ...(job && { job: templateToWire(job) }) };
      return scheduleFrom(await caller.call('editSchedule', { name }, body));
    },
    run: async (name) => {
      const response = await caller.response('runSchedule', { name });
      const job = (await response.json()) as Answer<'runSchedule'>;
      return { job: jobFrom(job), isNew: response.status === CREATED };
    },
  };
}

type Wire = Answer<'pauseSchedule'>;

/** Sending the masked values back would store the masks. */
const hiddenVariables = (name: string): QueueError =>
  new QueueError('usage', {
    problem: `the token cannot read the variables of schedule '${name}', so editing its job would lose them`,
    hint: 'set them again with -e NAME=VALUE, or use a token with the role admin',
  });

const specToWire = (input: SpecInput) => ({
  cron: input.cron,
  every: input.every,
  at: input.at,
  tz: input.zone,
  overlap: input.overlap as Body<'editSchedule'>['overlap'],
  catch_up: input.catchUp as Body<'editSchedule'>['catch_up'],
  catch_up_max: input.catchUpMax,
  catch_up_window_seconds: seconds(input.catchUpWindowMs),
  jitter_seconds: seconds(input.jitterMs),
});

const seconds = <T extends number | null | undefined>(ms: T): T => (typeof ms === 'number' ? ((ms / 1000) as T) : ms);

function scheduleFrom(json: Wire): Schedule {
  return {
    name: json.name,
    spec: {
      timing: timingFrom(json),
      jitterMs: json.jitter_seconds * 1000,
      catchUp: json.catch_up,
      catchUpWindowMs: json.catch_up_window_seconds === null ? null : json.catch_up_window_seconds * 1000,
      catchUpMax: json.catch_up_max,
      overlap: json.overlap,
    },
    job: templateFrom(json.job),
    nextAt: msOf(json.next_at),
    pausedAt: msOf(json.paused_at),
    createdAt: Date.parse(json.created_at),
    updatedAt: Date.parse(json.updated_at),
  };
}

/** Any run can serve as the anchor of an interval. */
function timingFrom({ cron, every_seconds, at, time_zone: zone, next, created_at }: Wire): Timing {
  if (cron !== null) return { kind: 'cron', expression: cron, zone };
  if (at !== null) return { kind: 'at', at: Date.parse(at), zone };
  const anchor = Date.parse(next[0] ?? created_at);
  return { kind: 'every', everyMs: (every_seconds ?? 0) * 1000, anchor, zone };
}

const RULES = ['success_codes', 'no_retry_codes', 'snooze_code', 'warn_signal', 'warn_seconds'];

/** The JSON has a separate field for each outcome rule. */
function templateFrom(json: Wire['job']): JobTemplate {
  const fields = Object.fromEntries(Object.entries(json).filter(([name]) => !RULES.includes(name)));
  const rules = Object.keys(json).some((name) => RULES.includes(name));
  const job = camelCased(fields) as unknown as JobTemplate;
  if (!rules) return job;
  return { ...job, outcomeRules: jobFrom({ ...NO_RULES, depends_on: [], ...json } as never).outcomeRules };
}

const NO_RULES = {
  success_codes: [0],
  no_retry_codes: [],
  snooze_code: null,
  warn_signal: null,
  warn_seconds: null,
};
