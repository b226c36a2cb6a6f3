// Schemas of isolation and resource usage, as src/job/input/isolation-input.ts writes them.

import { z } from 'zod';
import { SHOWN_LIMITS_SHAPE } from '../../job/input/limits-input.ts';
import { zodOf } from './shape.ts';

export const confinementShape = {
  limits: zodOf(SHOWN_LIMITS_SHAPE).nullable(),
  sandbox: z.string().nullable(),
  user: z.string().nullable(),
};

/** For a running attempt, the usage so far, if it runs on the server's host. */
export const usageShape = {
  peak_memory_bytes: z.int().nullable().describe('Peak memory of all its processes, if known'),
  cpu_user_ms: z.int().nullable(),
  cpu_system_ms: z.int().nullable(),
};
