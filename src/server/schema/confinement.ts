// What confines a job or the jobs of a queue as JSON, described: what src/job/input/isolation-input.ts writes.

import { z } from 'zod';
import { IO_CLASSES } from '../../job/isolation/resource-limits.ts';

const limitsSchema = z
  .object({
    memory_bytes: z.int(),
    cpu_seconds: z.number(),
    cpu_percent: z.number().meta({ description: '50 is half a core, 200 two of them' }),
    processes: z.int(),
    open_files: z.int(),
    file_bytes: z.int(),
    nice: z.int(),
    io_class: z.enum(IO_CLASSES),
    mode: z.literal('best-effort').meta({ description: 'What cannot be enforced is left out' }),
  })
  .partial()
  .meta({ id: 'Limits' });

export const confinementShape = {
  limits: limitsSchema.nullable(),
  sandbox: z.string().nullable(),
  user: z.string().nullable(),
};

/** Of an attempt that runs, what it has used until now, if it runs on the host of the server. */
export const usageShape = {
  peak_memory_bytes: z.int().nullable(),
  cpu_user_ms: z.int().nullable(),
  cpu_system_ms: z.int().nullable(),
};
