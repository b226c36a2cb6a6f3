// The details of one job: its fields, its attempts, and why it is waiting.

import type { Variables } from '../job/environment/environment.ts';
import type { Attempt, Job } from '../job/job.ts';
import { isRunning } from '../job/state-sets.ts';
import { attemptToJson, type Json, jobToJson, variablesToJson } from '../job/wire.ts';
import type { Queue } from '../queue/queue.ts';
import { liveUsage } from './live-usage.ts';
import { type Wait, waitToJson } from './waiting/wait.ts';
import { waitsFor } from './waiting/waiting.ts';

export interface Details {
  readonly now: number;
  readonly job: Job;
  /** Environment of the enqueuing shell; null if the job inherits that of its worker. */
  readonly environment: Variables | null;
  readonly history: readonly Attempt[];
  readonly waits: readonly Wait[];
  /** File with the job's output on this host; null if the output is in the database. */
  readonly logFile: string | null;
  /** True if the job may have run on another host. */
  readonly spansHosts: boolean;
}

export async function detailsOf(queue: Queue, job: Job): Promise<Details> {
  const history = await withUsageNow(queue, withOwnDuration(job, await queue.history(job.id)));
  const environment = await queue.environmentOf(job.id);
  const isElsewhere = queue.spansHosts || isRunning(job.state); // the log file is created when the job finishes
  const logFile = isElsewhere ? null : job.logPath;
  const waits = await waitsFor(queue, job);
  const usage = history.at(-1)?.usage ?? job.usage;
  return {
    now: queue.now(),
    job: { ...job, usage },
    environment,
    history,
    waits,
    logFile,
    spansHosts: queue.spansHosts,
  };
}

/**
 * The stored end of an attempt is the time of its report, which is late if the database was unavailable. The job has the
 * actual duration.
 */
function withOwnDuration({ durationMs }: Job, history: readonly Attempt[]): readonly Attempt[] {
  const last = history.at(-1);
  if (last === undefined || last.endedAt === null || durationMs === null) return history;
  const endedAt = Math.min(last.endedAt, last.startedAt + durationMs);
  return [...history.slice(0, -1), { ...last, endedAt }];
}

async function withUsageNow(queue: Queue, history: readonly Attempt[]): Promise<readonly Attempt[]> {
  const last = history.at(-1);
  if (last === undefined || last.endedAt !== null) return history;
  return [...history.slice(0, -1), { ...last, usage: await liveUsage(queue, last) }];
}

export function detailsToJson({ job, environment, history, waits }: Details, show: { env: boolean }): Json {
  const inherited = environment && variablesToJson(environment, show);
  return {
    ...jobToJson(job, show),
    environment: inherited,
    waiting_reasons: waits.map(waitToJson),
    history: history.map(attemptToJson),
  };
}
