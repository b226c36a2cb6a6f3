// A new job as written by programs, with the names and values of the table of job fields.

import type { FIXED, NewJobFields } from '../fields/fields.ts';
import type { Command } from '../job.ts';

export type { NewJobFields } from '../fields/fields.ts';

type FixedFields = { readonly [N in keyof typeof FIXED]?: (typeof FIXED)[N] | null | undefined };

export type NewJobInput = NewJobFields &
  FixedFields &
  ({ readonly command: Command } | { readonly cmd: Command } | { readonly recipe: string });
