import { z } from 'zod';

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What is wrong, in a sentence' }),
    code: z.string().meta({ description: 'What is wrong, for programs: docs/errors.md lists them' }),
    hint: z.string().nullable().meta({ description: 'What to do about it' }),
    position: z
      .int()
      .optional()
      .meta({ description: 'Of a filter: where the word begins that cannot be understood, from 1 on' }),
    details: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .optional()
      .meta({ description: 'What the sentence is about, for programs' }),
  })
  .meta({ id: 'Problem' });
