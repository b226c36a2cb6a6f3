// The job that a hook is run by. It is a job like any other, with retries, and never calls for hooks itself.

import type { ParentOutcome } from './dependencies.ts';
import { deliveryCommand } from './delivery.ts';
import { type HookCall, isWebhook } from './hooks.ts';
import { parseJob } from '../input/input.ts';
import type { Job, JobState, NewJob } from '../job.ts';
import { traceContext } from '../environment/trace-context.ts';
import { isoTime, type Json, jobToJson } from '../wire.ts';

const DELIVERY_SECONDS = 60;

/** What a program can be given in one variable is 128 KiB; a text may take six times its length as JSON. */
const LONGEST_JSON_BYTES = 100_000;
const LONGEST_TEXT = 2048;

export interface HookContext {
  readonly newId: () => string;
  /** Where the queue is, without a password. */
  readonly place: string;
  readonly maxRetries: number;
  readonly timeoutSeconds: number | null;
}

/** What has ended, and what its hooks take from it. */
export interface HookSubject {
  /** The id of a job, or `group:NAME`. */
  readonly of: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly body: Json;
  /** With the event, it tells one end from all others: how often it had run, or a number that grows. */
  readonly run: number;
  /** The job, or the last one of the group: where hooks run. */
  readonly job: Job;
}

export function jobSubject(job: Job, outcome: ParentOutcome, run: number): HookSubject {
  const shown = bounded({ ...jobToJson(job), state: outcome }); // it may have been retried since
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

/** A command runs where the job ran and with what it was given; a webhook needs neither. */
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

/** A hook belongs to the trace of its job. */
const traceIn = ({ env }: Job) => traceContext(env.TRACEPARENT, env.TRACESTATE);

/** With the defaults for everything else. */
const plainJob = (command: NewJob['command'], { queue, priority }: Job, context: HookContext): NewJob =>
  parseJob(
    { command, queue, priority },
    {},
    { now: 0, zone: 'utc', newId: context.newId, cwd: null, defaults: context },
  );

/** A job whose JSON would be too long has its long fields cut. */
function bounded(json: Json): Json {
  if (Buffer.byteLength(JSON.stringify(json)) <= LONGEST_JSON_BYTES) return json;
  const entries = Object.entries(json).map(([name, value]) => [name, cut(value)]);
  return { ...Object.fromEntries(entries), is_cut: true };
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, LONGEST_TEXT).toWellFormed();
  return JSON.stringify(value ?? null).length <= LONGEST_TEXT ? value : null;
}
