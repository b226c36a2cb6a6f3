// Schema of workers, as src/report/workers.ts writes them.

import { z } from 'zod';

export const workerSchema = z
  .object({
    id: z.string(),
    pid: z.int(),
    host: z.string(),
    state: z.enum(['idle', 'busy', 'stopping', 'lost']),
    started_at: z.iso.datetime(),
    last_heartbeat: z.iso.datetime(),
    queues: z.array(z.string()).nullable().describe('null for all queues'),
    concurrency: z.int(),
    version: z.string().nullable().describe('Version and commit of its program, if recorded'),
    current_jobs: z.array(z.string()),
    memory_budget_bytes: z.int().nullable().describe('Memory that the worker’s jobs may reserve, if set by a flag'),
    notice: z.string().nullable(),
  })
  .meta({ id: 'Worker' });
