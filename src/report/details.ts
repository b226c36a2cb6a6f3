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
}

export async function detailsOf(queue: Queue, job: Job): Promise<Details> {
  const history = await queue.history(job.id);
  return { now: queue.store.now(), job, history, waits: await waitsFor(queue, job) };
}

export function detailsToJson({ job, history, waits }: Details, show: { env: boolean }): Json {
  return { ...jobToJson(job, show), waits_for: waits, history: history.map(attemptToJson) };
}
