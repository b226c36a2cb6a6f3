// What a user may say of the confinement of a new job, field by field, and how it makes one whole.

import type { Confinement } from './confinement.ts';
import { id } from './input-readers.ts';

/** What was said; what was not is absent. */
export interface SaidOfConfinement {
  readonly sandbox?: string;
  readonly user?: string;
}

/** Those that make it up. */
export const CONFINEMENT_FIELDS = ['sandbox', 'user'] as const satisfies (keyof SaidOfConfinement)[];

export const isOfConfinement = (field: string): boolean =>
  (CONFINEMENT_FIELDS as readonly string[]).includes(field);

export const sandbox = (value: unknown, field: string): string => id(value, field);
export const user = (value: unknown, field: string): string => id(value, field);

/** null: nothing is said, as of nearly all jobs, of which very many may come in at once. */
export function confinementFrom(said: SaidOfConfinement): Confinement | null {
  if (said.sandbox === undefined && said.user === undefined) return null;
  return {
    ...(said.sandbox !== undefined && { sandbox: said.sandbox }),
    ...(said.user !== undefined && { user: said.user }),
  };
}

/** The same as a user would say it, with every field named. */
export const inputOfConfinement = (confinement: Confinement | null): Readonly<Record<string, unknown>> => ({
  sandbox: confinement?.sandbox ?? null,
  user: confinement?.user ?? null,
});
