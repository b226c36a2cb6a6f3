// Everything about one job: its fields, its attempts, and what it waits for.

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
  /** Of the shell that enqueued it, or null: it runs with that of its worker. */
  readonly environment: Variables | null;
  readonly history: readonly Attempt[];
  readonly waits: readonly Wait[];
  /** Where its output is, or null: the queue has it, wherever the job ran. */
  readonly logFile: string | null;
  /** Whether it could have run on another host. */
  readonly spansHosts: boolean;
}

export async function detailsOf(queue: Queue, job: Job): Promise<Details> {
  const history = await withUsageNow(queue, withOwnDuration(job, await queue.history(job.id)));
  const environment = await queue.environmentOf(job.id);
  const isElsewhere = queue.spansHosts || isRunning(job.state); // a file is made when it has ended
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
 * An attempt ends in the store when its worker can report it. While the database is away that is later than the process
 * ended, and the job knows how long the process ran.
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
    waits_for: waits.map(waitToJson),
    history: history.map(attemptToJson),
  };
}
