// What confines a job or the jobs of a queue as JSON, described: what src/job/input/isolation-input.ts writes.

import { z } from 'zod';
import { SHOWN_LIMITS_SHAPE } from '../../job/input/limits-input.ts';
import { zodOf } from './shape.ts';

export const confinementShape = {
  limits: zodOf(SHOWN_LIMITS_SHAPE).nullable(),
  sandbox: z.string().nullable(),
  user: z.string().nullable(),
};

/** Of an attempt that runs, what it has used until now, if it runs on the host of the server. */
export const usageShape = {
  peak_memory_bytes: z.int().nullable(),
  cpu_user_ms: z.int().nullable(),
  cpu_system_ms: z.int().nullable(),
};
