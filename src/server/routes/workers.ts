// Workers: who they are and what they run; and how to stop one.

import { z } from 'zod';
import { QueueError } from '../../errors.ts';
import type { Queue, WorkerView } from '../../queue.ts';
import { workerToJson } from '../../report/workers.ts';
import { route } from '../route.ts';
import { workerSchema } from '../schema/worker.ts';

const listWorkers = route({
  method: 'get',
  path: '/workers',
  id: 'listWorkers',
  tag: 'workers',
  summary: 'The workers and what they run',
  role: 'viewer',
  answers: {
    200: { means: 'Workers', schema: z.object({ workers: z.array(workerSchema), next: z.null() }) },
  },
  handle: async ({ queue }) => ({ json: { workers: (await queue.workers()).map(workerToJson), next: null } }),
});

const stopWorker = route({
  method: 'post',
  path: '/workers/{id}/stop',
  id: 'stopWorker',
  tag: 'workers',
  summary: 'Ask a worker to stop: it takes no new jobs and leaves when those it runs have finished',
  role: 'operator',
  parameters: z.object({ id: z.string().min(1).max(128) }),
  body: z.strictObject({
    force: z.boolean().default(false).meta({ description: 'End its jobs now; they run again later' }),
  }),
  isBodyOptional: true,
  answers: { 202: { means: 'It was asked', schema: workerSchema } },
  handle: async ({ queue, path, body }) => {
    const worker = await workerOf(queue, path.id);
    await queue.requestStop([worker.id], body.force ? 'force' : 'graceful');
    const now = (await queue.workers()).find(({ id }) => id === worker.id);
    return { status: 202, json: workerToJson(now ?? { ...worker, state: 'stopping' }) };
  },
});

async function workerOf(queue: Queue, id: string): Promise<WorkerView> {
  const worker = (await queue.workers()).find((one) => one.id === id);
  if (!worker) throw new QueueError('worker_not_found', { id });
  return worker;
}

export const workerRoutes = [listWorkers, stopWorker];
