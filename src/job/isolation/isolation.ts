// What a job may use and touch beyond the usual: its limits, its sandbox, its user, its secrets, and the
// recipe it was made from. One column holds all of it, so that a job that says nothing of it costs nothing. Pure.

import type { ResourceLimits } from './resource-limits.ts';

export interface Confinement {
  readonly limits?: ResourceLimits;
  /** The name of a profile, ours or one of the settings. */
  readonly sandbox?: string;
  /** The user it runs as. */
  readonly user?: string;
  readonly secrets?: readonly SecretUse[];
  readonly recipe?: RecipeUse;
}

/** A secret by its name, and where the job finds it. */
export interface SecretUse {
  readonly name: string;
  readonly as: 'variable' | 'file';
  /** The variable that holds the secret, or the path of the file that does. */
  readonly variable: string;
}

/** What the job was made from; its command is the outcome. */
export interface RecipeUse {
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
}

/** The memory that has to be left for it: what it may use by its own word and by that of its queue; 0: neither says. */
export function reservedBy(confinement: Confinement | null, ofQueue?: number): number {
  const own = confinement?.limits?.memoryBytes;
  return own === undefined || ofQueue === undefined ? (own ?? ofQueue ?? 0) : Math.min(own, ofQueue);
}

/** The column `confinement`, as JSON. null: there is none. */
export function confinementText(confinement: Confinement | null): string | null {
  if (confinement === null || Object.keys(confinement).length === 0) return null;
  return JSON.stringify(confinement);
}

/** undefined: it cannot be read, and a job whose confinement is unknown must not run. */
export function confinementOf(text: unknown): Confinement | null | undefined {
  if (text === null || text === undefined) return null;
  try {
    const value: unknown = JSON.parse(String(text));
    return isObject(value) && Object.values(READABLE).every((isReadable) => isReadable(value))
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSecretUse = (use: unknown): boolean =>
  isObject(use) && isText(use.name) && isText(use.variable) && (use.as === 'variable' || use.as === 'file');

const isRecipeUse = (use: unknown): boolean =>
  isObject(use) && isText(use.name) && isObject(use.params) && Object.values(use.params).every(isText);

const isText = (value: unknown): value is string => typeof value === 'string';

type Test = (value: Readonly<Record<string, unknown>>) => boolean;

/** What may be in it, field by field. */
const READABLE: Readonly<Record<keyof Confinement, Test>> = {
  limits: ({ limits }) => limits === undefined || isObject(limits),
  sandbox: ({ sandbox }) => sandbox === undefined || typeof sandbox === 'string',
  user: ({ user }) => user === undefined || typeof user === 'string',
  secrets: ({ secrets }) => secrets === undefined || (Array.isArray(secrets) && secrets.every(isSecretUse)),
  recipe: ({ recipe }) => recipe === undefined || isRecipeUse(recipe),
};
