// Parameters and bodies that several routes take.

import { z } from 'zod';

export const jobIdPath = z.object({
  id: z.string().min(1).max(128).describe('Job ID, name, or a unique prefix of an ID'),
});

export const idPath = z.object({ id: z.string().min(1).max(128) });

export const namePath = z.object({ name: z.string().min(1).max(128) });

/** A number of at least 1, as text. */
export const positive = z.coerce.number().int().min(1);

export const filterText = z
  .string()
  .max(4096)
  .describe('Filter such as state:dead queue:mail error:"no such file" older:1d');

export const NO_BODY = { body: z.strictObject({}), isBodyOptional: true } as const;
