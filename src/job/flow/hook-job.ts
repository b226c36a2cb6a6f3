// Builds the job that runs a hook. It is an ordinary job with retries, but has no hooks itself.

import type { ParentOutcome } from './dependencies.ts';
import { deliveryCommand } from './delivery.ts';
import { type HookCall, isWebhook } from './hooks.ts';
import { parseJob } from '../input/input.ts';
import type { Job, JobState, NewJob } from '../job.ts';
import { traceContext } from '../environment/trace-context.ts';
import { isoTime, type Json, jobToJson } from '../wire.ts';

const DELIVERY_SECONDS = 60;

/** Linux limits a variable to 128 KiB, and JSON escapes can make a text six times longer. */
const LONGEST_JSON_BYTES = 100_000;
const LONGEST_TEXT = 2048;

export interface HookContext {
  readonly newId: () => string;
  /** Queue location, without a password. */
  readonly place: string;
  readonly maxRetries: number;
  readonly timeoutSeconds: number | null;
}

/** The finished job or group, and the values its hooks receive. */
export interface HookSubject {
  /** Job ID, or `group:NAME`. */
  readonly of: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly body: Json;
  /** Together with the event, identifies one ending: the run count, or an increasing number. */
  readonly run: number;
  /** The job, or the last job of the group. Hooks run in its queue. */
  readonly job: Job;
}

export function jobSubject(job: Job, outcome: ParentOutcome, run: number): HookSubject {
  const shown = bounded({ ...jobToJson(job), state: outcome }); // the job may have been retried since
  return {
    of: job.id,
    variables: { QUEUECTL_HOOK_JOB_ID: job.id, QUEUECTL_HOOK_JOB: JSON.stringify(shown) },
    body: { job: shown },
    run,
    job,
  };
}

export function groupSubject(
  name: string,
  counts: Readonly<Record<JobState, number>>,
  run: number,
  last: Job,
): HookSubject {
  const group = { name, jobs: counts, ended_at: isoTime(last.finishedAt) };
  return {
    of: `group:${name}`,
    variables: { QUEUECTL_HOOK_GROUP: name, QUEUECTL_HOOK_JOB: JSON.stringify(group) },
    body: { group },
    run,
    job: last,
  };
}

/** A command runs in the job's directory with the job's environment; a webhook needs neither. */
export function hookJob(subject: HookSubject, { event, target }: HookCall, context: HookContext): NewJob {
  const isDelivery = isWebhook(target);
  const { job, of, variables, body, run } = subject;
  const delivery = `${of}:${event}:${run}`;
  const told = { QUEUECTL_HOOK_EVENT: event, QUEUECTL_HOOK_DELIVERY: delivery };
  const plain = plainJob(target, job, context);
  if (!isDelivery) return { ...plain, hookOf: of, cwd: job.cwd, env: { ...job.env, ...told, ...variables } };
  const text = JSON.stringify({ event, delivery, database: context.place, ...body });
  return {
    ...plain,
    command: deliveryCommand(target),
    hookOf: of,
    timeoutSeconds: DELIVERY_SECONDS,
    env: { ...traceIn(job), ...told, QUEUECTL_HOOK_BODY: text },
  };
}

/** A hook belongs to its job's trace. */
const traceIn = ({ env }: Job) => traceContext(env.TRACEPARENT, env.TRACESTATE);

/** Returns a job with default values. */
const plainJob = (command: NewJob['command'], { queue, priority }: Job, context: HookContext): NewJob =>
  parseJob(
    { command, queue, priority },
    {},
    { now: 0, zone: 'utc', newId: context.newId, cwd: null, defaults: context },
  );

/** Cuts long fields if the job's JSON would be too long. */
function bounded(json: Json): Json {
  if (Buffer.byteLength(JSON.stringify(json)) <= LONGEST_JSON_BYTES) return json;
  const entries = Object.entries(json).map(([name, value]) => [name, cut(value)]);
  return { ...Object.fromEntries(entries), is_cut: true };
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, LONGEST_TEXT).toWellFormed();
  return JSON.stringify(value ?? null).length <= LONGEST_TEXT ? value : null;
}
