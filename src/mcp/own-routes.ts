// Routes for tools only: a bounded response for what the dashboard streams or draws.

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { QueueError } from '../errors/errors.ts';
import { isFinal, type Job } from '../job/job.ts';
import type { Queue } from '../queue/queue.ts';
import { bulkToJson } from '../server/bulk-runs.ts';
import { type Answer, type RouteRequest, type Json, type Route, unlistedRoute } from '../server/route.ts';
import { jobFor } from '../server/shown.ts';
import { routeNamed } from './tool.ts';

const LOOK_AGAIN_MS = 100;
const LONGEST_WAIT_SECONDS = 300;
/** Returns a bulk operation's result, or its progress after this time. */
const BULK_WITHIN_MS = 20_000;

export const waitForJobs = unlistedRoute({
  method: 'get',
  path: '/tools/wait',
  id: 'waitForJobs',
  summary: 'Wait until jobs are completed, dead or cancelled, or the time is up',
  role: 'viewer',
  query: z.object({
    ids: z.array(z.string().min(1).max(128)).min(1).max(100).describe('Job IDs or names'),
    timeout_seconds: z
      .number()
      .min(0)
      .max(LONGEST_WAIT_SECONDS)
      .default(30)
      .describe('Maximum wait. Many clients abandon a call after 60 seconds, so repeat short waits'),
  }),
  answers: {},
  handle: async ({ queue, query, principal, request }) => {
    const found = await Promise.all(query.ids.map((id) => queue.find(id)));
    const deadline = performance.now() + query.timeout_seconds * 1000;
    for (;;) {
      const jobs = await Promise.all(found.map(({ id }) => stillThere(queue, id)));
      const isDone = jobs.every(({ state }) => isFinal(state));
      const left = deadline - performance.now();
      if (isDone || left <= 0 || request.signal.aborted)
        return { json: { done: isDone, jobs: jobs.map((job) => jobFor(principal, job)) } };
      await sleep(Math.min(LOOK_AGAIN_MS, left));
    }
  },
});

async function stillThere(queue: Queue, id: string): Promise<Job> {
  const job = await queue.get(id);
  if (!job) throw new QueueError('job_not_found', { id });
  return job;
}

/** Waits a while for the operation to finish. */
const andWait = (startBulk: Route): Route => ({
  ...startBulk,
  handle: async (asked: RouteRequest<never, never, never>): Promise<Answer> => {
    const answer = (await startBulk.handle(asked)) as Json;
    const { bulk: id } = answer.json as { bulk?: string };
    if (id === undefined) return answer;
    const deadline = performance.now() + BULK_WITHIN_MS;
    while (asked.bulk.get(id).state === 'running' && performance.now() < deadline) await sleep(LOOK_AGAIN_MS);
    return { json: bulkToJson(asked.bulk.get(id)) };
  },
});

export const changeJobs = andWait(routeNamed('changeJobs'));
export const pruneJobs = andWait(routeNamed('pruneJobs'));
