// Everything about one job: its fields, its attempts, and what it waits for.

import type { Attempt, Job } from '../job/job.ts';
import { attemptToJson, type Json, jobToJson } from '../job/wire.ts';
import type { Queue } from '../queue.ts';
import { type Wait, waitsFor } from './waiting.ts';

export interface Details {
  readonly now: number;
  readonly job: Job;
  readonly history: readonly Attempt[];
  readonly waits: readonly Wait[];
  /** Where its output is, or null: the queue has it, wherever the job ran. */
  readonly logFile: string | null;
  /** Whether it could have run on another host. */
  readonly spansHosts: boolean;
}

export async function detailsOf(queue: Queue, job: Job): Promise<Details> {
  const history = await queue.history(job.id);
  const { spansHosts } = queue.store;
  const logFile = spansHosts || job.state === 'processing' ? null : job.logPath; // made when it has ended
  return { now: queue.store.now(), job, history, waits: await waitsFor(queue, job), logFile, spansHosts };
}

export function detailsToJson({ job, history, waits }: Details, show: { env: boolean }): Json {
  return { ...jobToJson(job, show), waits_for: waits, history: history.map(attemptToJson) };
}
