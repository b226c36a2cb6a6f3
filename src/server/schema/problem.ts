// Schema of errors, as src/server/http/problem.ts writes them.

import { z } from 'zod';

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What went wrong'),
    code: z.string().describe('Machine-readable error code, as listed in docs/reference/errors.md'),
    hint: z.string().nullable().describe('How to resolve the error'),
    position: z.int().optional().describe('Position of the invalid word in a filter, starting at 1'),
    details: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .optional()
      .describe('Values that the message contains'),
  })
  .meta({ id: 'Problem' });
