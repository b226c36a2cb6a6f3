// JSON form of jobs and attempts: snake_case, times in ISO 8601 UTC. Shared by CLI, HTTP API and library.

import { jsonEntries } from './fields/fields.ts';
import type { Shown } from './fields/field.ts';
import { hasTime } from './fields/shape.ts';
import type { Attempt, Job } from './job.ts';
import { isoOf } from '../time/iso.ts';
import { usageToJson } from './usage.ts';

export { variablesToJson } from './fields/environment.ts';

export type Json = Readonly<Record<string, unknown>>;

export const isoTime = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));

interface Shower {
  readonly name: string;
  readonly value: (job: Job, show: Shown) => unknown;
}

let showers: readonly Shower[] | undefined;
/** Copied for each job: an object that has all its properties from the start is made faster. */
let empty: Json = {};

function makeShowers(): readonly Shower[] {
  showers = jsonEntries().map(({ name, field, shape, of }) => {
    const key = field as keyof Job;
    const time = (job: Job): unknown => isoTime(job[key] as number | null);
    return { name, value: of ?? (hasTime(shape) ? time : (job: Job): unknown => job[key]) };
  });
  empty = Object.fromEntries(showers.map(({ name }) => [name, null]));
  return showers;
}

export function jobToJson(job: Job, show: Shown = { env: false }): Json {
  const all = showers ?? makeShowers();
  const json: Record<string, unknown> = { ...empty };
  for (const { name, value } of all) json[name] = value(job, show);
  return json;
}

export function attemptToJson(attempt: Attempt): Json {
  return {
    number: attempt.number,
    run: attempt.run,
    worker: attempt.workerId,
    host: attempt.host,
    pid: attempt.pid,
    started_at: isoTime(attempt.startedAt),
    ended_at: isoTime(attempt.endedAt),
    duration_ms: attempt.endedAt === null ? null : attempt.endedAt - attempt.startedAt,
    outcome: attempt.outcome,
    exit_code: attempt.exitCode,
    signal: attempt.signal,
    error: attempt.error,
    log_path: attempt.logPath,
    ...usageToJson(attempt.usage),
  };
}
