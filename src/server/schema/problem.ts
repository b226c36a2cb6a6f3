import { z } from 'zod';

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What is wrong, in a sentence' }),
    code: z
      .string()
      .meta({ description: 'What is wrong, for programs: docs/reference/errors.md lists them' }),
    hint: z.string().nullable().meta({ description: 'What to do about it' }),
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
