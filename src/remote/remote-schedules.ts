// Schedules, through a server.

import { QueueError } from '../errors/errors.ts';
import type { NewEnvironment } from '../job/environment/environment.ts';
import type { Job } from '../job/job.ts';
import type { Json } from '../job/wire.ts';
import type * as data from '../library/data.ts';
import { named } from '../library/caller.ts';
import type { JobTemplate } from '../schedule/job-template.ts';
import type { Schedule, Tick } from '../schedule/schedule.ts';
import type { SpecInput } from '../schedule/spec.ts';
import type { Timing } from '../schedule/timing.ts';
import { localZone } from '../schedule/zone.ts';
import { QueueSchedules, type ScheduleInput } from '../queue/schedules.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import { camelCased, jobFrom, msOf, timeOf } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';
import { templateToWire } from './to-wire.ts';

const HIDDEN = '***';

export class RemoteSchedules extends QueueSchedules {
  private readonly caller: RemoteCaller;

  constructor(store: Store, settings: () => Promise<Settings>, caller: RemoteCaller) {
    super(store, settings, null); // the server knows who asks
    this.caller = caller;
  }

  /** Each is checked before the first is sent. */
  override async add(inputs: readonly ScheduleInput[], _: NewEnvironment | null): Promise<Schedule[]> {
    await this.preview(inputs);
    const added: Schedule[] = [];
    for (const { name, job, ...input } of inputs) {
      const body = { name, ...specToWire({ zone: localZone(), ...input }), job: templateToWire(job) };
      added.push(scheduleFrom(await this.caller.post('/schedules', body)));
    }
    return added;
  }

  override async all(): Promise<Schedule[]> {
    return (await this.caller.get<{ schedules: data.Schedule[] }>('/schedules')).schedules.map(scheduleFrom);
  }

  override async get(name: string): Promise<Schedule> {
    return scheduleFrom(await this.caller.get(pathOf(name)));
  }

  override async ticks(name: string, limit: number): Promise<Tick[]> {
    const { ticks } = await this.caller.get<{ ticks: data.Tick[] }>(`${pathOf(name)}/ticks`, { limit });
    return ticks.map((tick) => ({
      at: timeOf(tick.scheduled_at),
      outcome: tick.outcome,
      reason: tick.reason as Tick['reason'],
      jobId: tick.job,
      decidedAt: timeOf(tick.decided_at),
    }));
  }

  override async remove(names: readonly string[]): Promise<Schedule[]> {
    const schedules = await this.getAll(names);
    for (const { name } of schedules) await this.caller.json('DELETE', pathOf(name));
    return schedules;
  }

  override pause(names: readonly string[]): Promise<Schedule[]> {
    return this.act(names, 'pause');
  }

  override resume(names: readonly string[]): Promise<Schedule[]> {
    return this.act(names, 'resume');
  }

  override async edit(name: string, input: SpecInput, job: JobTemplate | undefined): Promise<Schedule> {
    if (job && Object.values(job.env ?? {}).includes(HIDDEN)) throw hiddenVariables(name);
    const body = { ...specToWire(input), ...(job && { job: templateToWire(job) }) };
    return scheduleFrom(await this.caller.json('PATCH', pathOf(name), { body }));
  }

  override async run(name: string): Promise<{ job: Job; isNew: boolean }> {
    const response = await this.caller.response('POST', `${pathOf(name)}/run`, { body: {} });
    return { job: jobFrom((await response.json()) as data.Job), isNew: response.status === CREATED };
  }

  private async act(names: readonly string[], verb: string): Promise<Schedule[]> {
    const changed: Schedule[] = [];
    for (const { name } of await this.getAll(names))
      changed.push(scheduleFrom(await this.caller.post(`${pathOf(name)}/${verb}`)));
    return changed;
  }
}

const CREATED = 201;

const pathOf = (name: string): string => `/schedules/${named(name)}`;

/** What is sent as it was shown would be stored as it was shown. */
const hiddenVariables = (name: string): QueueError =>
  new QueueError('usage', {
    problem: `the job of schedule '${name}' has variables whose values this token may not see, so they would be lost`,
    hint: 'say them again with -e NAME=VALUE, or use a token of the role admin',
  });

const specToWire = (input: SpecInput): Json => ({
  cron: input.cron,
  every: input.every,
  at: input.at,
  tz: input.zone,
  overlap: input.overlap,
  catch_up: input.catchUp,
  catch_up_max: input.catchUpMax,
  catch_up_window_seconds: seconds(input.catchUpWindowMs),
  jitter_seconds: seconds(input.jitterMs),
});

const seconds = <T extends number | null | undefined>(ms: T): T =>
  typeof ms === 'number' ? ((ms / 1000) as T) : ms;

function scheduleFrom(json: data.Schedule): Schedule {
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
    createdAt: timeOf(json.created_at),
    updatedAt: timeOf(json.updated_at),
  };
}

/** An interval is anchored at any of its ticks. */
function timingFrom({ cron, every_seconds, at, time_zone: zone, next, created_at }: data.Schedule): Timing {
  if (cron !== null) return { kind: 'cron', expression: cron, zone };
  if (at !== null) return { kind: 'at', at: timeOf(at), zone };
  const anchor = timeOf(next[0] ?? created_at);
  return { kind: 'every', everyMs: (every_seconds ?? 0) * 1000, anchor, zone };
}

const RULES = ['success_codes', 'no_retry_codes', 'snooze_code', 'warn_signal', 'warn_seconds'];

/** What it says of exit codes stands in fields of its own. */
function templateFrom(json: data.Schedule['job']): JobTemplate {
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
