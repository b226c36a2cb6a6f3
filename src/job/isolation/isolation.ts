// A job's isolation: limits, sandbox, user, secrets, and the recipe it was made from. One column holds all of it, so
// that jobs without isolation cost nothing. Pure.

import { jsonIn } from '../stored-json.ts';
import type { ResourceLimits } from './resource-limits.ts';

export interface Confinement {
  readonly limits?: ResourceLimits;
  /** Name of a built-in profile or of one from the settings. */
  readonly sandbox?: string;
  /** User that the job runs as. */
  readonly user?: string;
  readonly secrets?: readonly SecretUse[];
  readonly recipe?: RecipeUse;
}

/** A secret's name, and how the job receives it. */
export interface SecretUse {
  readonly name: string;
  readonly as: 'variable' | 'file';
  /** Variable that holds the secret, or the path of the file that holds it. */
  readonly variable: string;
}

/** The recipe and parameters that produced the job's command. */
export interface RecipeUse {
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Memory to reserve for the job, from its own and its queue's limit; 0 if neither is set. */
export function reservedBy(confinement: Confinement | null, ofQueue?: number): number {
  const own = confinement?.limits?.memoryBytes;
  return own === undefined || ofQueue === undefined ? (own ?? ofQueue ?? 0) : Math.min(own, ofQueue);
}

/** JSON for the column `confinement`, or null if there is none. */
export function confinementText(confinement: Confinement | null): string | null {
  if (confinement === null || Object.keys(confinement).length === 0) return null;
  return JSON.stringify(confinement);
}

/** Returns undefined if the text is unreadable: a job with unknown isolation must not run. */
export function confinementOf(text: unknown): Confinement | null | undefined {
  if (text === null || text === undefined) return null;
  const value = jsonIn(text);
  return isObject(value) && Object.values(READABLE).every((isReadable) => isReadable(value)) ? value : undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSecretUse = (use: unknown): boolean =>
  isObject(use) && isText(use.name) && isText(use.variable) && (use.as === 'variable' || use.as === 'file');

const isRecipeUse = (use: unknown): boolean =>
  isObject(use) && isText(use.name) && isObject(use.params) && Object.values(use.params).every(isText);

const isText = (value: unknown): value is string => typeof value === 'string';

type Test = (value: Readonly<Record<string, unknown>>) => boolean;

/** Validators by field. */
const READABLE: Readonly<Record<keyof Confinement, Test>> = {
  limits: ({ limits }) => limits === undefined || isObject(limits),
  sandbox: ({ sandbox }) => sandbox === undefined || typeof sandbox === 'string',
  user: ({ user }) => user === undefined || typeof user === 'string',
  secrets: ({ secrets }) => secrets === undefined || (Array.isArray(secrets) && secrets.every(isSecretUse)),
  recipe: ({ recipe }) => recipe === undefined || isRecipeUse(recipe),
};
