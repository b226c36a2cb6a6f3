import { z } from 'zod';

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'Error message' }),
    code: z.string().meta({ description: 'Error code; docs/errors.md lists all codes' }),
    hint: z.string().nullable().meta({ description: 'Suggested solution' }),
    position: z
      .int()
      .optional()
      .meta({ description: 'Position of the invalid word in a filter, starting at 1' }),
    details: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .optional()
      .meta({ description: 'Data of the message' }),
  })
  .meta({ id: 'Problem' });
