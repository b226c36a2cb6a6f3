// Reads the isolation of a new job, field by field, and combines it.

import type { Confinement, SecretUse } from '../isolation/isolation.ts';
import { limitsToJson } from './limits-input.ts';
import type { ResourceLimits } from '../isolation/resource-limits.ts';
import { secretText } from './secret-input.ts';
import { recipeUseOf, type RecipeInput } from './recipe-input.ts';

/** Fields as given; unset fields are absent. */
export interface ConfinementInput extends RecipeInput {
  readonly limits?: ResourceLimits;
  readonly secrets?: readonly SecretUse[];
  readonly sandbox?: string;
  readonly user?: string;
}

const CONFINEMENT_FIELDS = [
  'limits', 'sandbox', 'user', 'recipe', 'params', 'secrets',
] as const satisfies (keyof ConfinementInput)[]; // biome-ignore format: a list of words

export const isConfinementField = (field: string): boolean => (CONFINEMENT_FIELDS as readonly string[]).includes(field);

/** Returns null if no field is given, as for most jobs. */
export function confinementFrom(said: ConfinementInput): Confinement | null {
  const recipe = recipeUseOf(said);
  if (CONFINEMENT_FIELDS.every((field) => said[field] === undefined)) return null;
  return {
    ...(said.limits !== undefined && { limits: said.limits }),
    ...(said.sandbox !== undefined && { sandbox: said.sandbox }),
    ...(said.user !== undefined && { user: said.user }),
    ...(recipe !== undefined && { recipe }),
    ...(said.secrets !== undefined && { secrets: said.secrets }),
  };
}

/** Returns the fields that jobs and queues have in common, including unset ones. */
export const boundsToJson = (confinement: Confinement | null): Readonly<Record<string, unknown>> => ({
  limits: limitsToJson(confinement?.limits),
  sandbox: confinement?.sandbox ?? null,
  user: confinement?.user ?? null,
});

/** Returns the isolation as input of a job. */
export const inputOfConfinement = (confinement: Confinement | null): Readonly<Record<string, unknown>> => ({
  ...boundsToJson(confinement),
  recipe: confinement?.recipe?.name ?? null,
  params: confinement?.recipe?.params ?? null,
  secrets: (confinement?.secrets ?? []).map(secretText),
});
