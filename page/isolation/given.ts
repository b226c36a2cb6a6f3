// Isolation fields of a form as text by field name, and their conversion to API values and command-line flags.

import { shellWord } from '../core/format.ts';
import type { Job } from '../core/types.ts';
import { fieldName, flagName, limitLabel, LIMITS, typedLimit } from './limits.ts';

export type Given = Readonly<Record<string, string>>;
export type Input = Readonly<Record<string, unknown>>;

type Bounds = Pick<Job, 'limits' | 'sandbox' | 'user'>;
type Isolated = Bounds & Pick<Job, 'secrets' | 'recipe' | 'params'>;

export const words = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** Text that is not a number is sent unchanged, so that the server reports the error. */
export const numberOrText = (text: string): unknown =>
  text === '' || Number.isNaN(Number(text)) ? text : Number(text);

export const paramName = (name: string): string => `params.${name}`;

export const givenByBounds = ({ limits, sandbox, user }: Partial<Bounds>): Given => ({
  ...Object.fromEntries(LIMITS.map((limit) => [fieldName(limit), typedLimit(limit, limits ?? null)])),
  sandbox: sandbox ?? '',
  user: user ?? '',
});

export const givenByIsolation = ({ secrets, recipe, params, ...bounds }: Partial<Isolated>): Given => ({
  ...givenByBounds(bounds),
  secrets: (secrets ?? []).join(' '),
  recipe: recipe ?? '',
  ...Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [paramName(name), value])),
});

/** Changed limits, sandbox and user; null removes one. */
export function boundsInput(given: Given, before: Given = {}): Input {
  const limits = LIMITS.filter((limit) => differs(given, before, fieldName(limit))).map((limit) => [
    limit.name,
    textOf(given, fieldName(limit)) === '' ? null : numberOrText(textOf(given, fieldName(limit))),
  ]);
  const others = ['sandbox', 'user'].filter((name) => differs(given, before, name));
  return {
    ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
    ...Object.fromEntries(others.map((name) => [name, textOf(given, name) || null])),
  };
}

/** All fields for a new job. A recipe supplies the command. */
export function isolationInput(given: Given): Input {
  const [secrets, recipe] = [words(textOf(given, 'secrets')), textOf(given, 'recipe')];
  return {
    ...(recipe && { recipe, params: paramsIn(given) }),
    ...boundsInput(given),
    ...(secrets.length > 0 && { secrets }),
  };
}

/** The changes of an edited job. If one limit changes, all limits are sent. */
export function isolationChange(given: Given, before: Given): Input {
  const { limits, ...others } = boundsInput(given, before);
  const secrets = words(textOf(given, 'secrets'));
  return {
    ...(limits !== undefined && { limits: boundsInput(given).limits ?? null }),
    ...others,
    ...(differs(given, before, 'secrets') && { secrets: secrets.length > 0 ? secrets : null }),
  };
}

/** Parameters with a value; the server reports missing ones without a default. */
const paramsIn = (given: Given): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([name, value]) => name.startsWith('params.') && value !== '')
      .map(([name, value]) => [name.slice('params.'.length), value]),
  );

export const withRecipe = (given: Given, recipe: string): Given => ({
  ...Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith('params.'))),
  recipe,
});

const textOf = (given: Given, name: string): string => given[name]?.trim() ?? '';

const differs = (given: Given, before: Given, name: string): boolean => textOf(given, name) !== textOf(before, name);

/** '--memory 512M --sandbox strict'; a removed limit is `none`, a removed sandbox or user `any`. */
export function boundFlags(given: Given, before: Given = {}): string[] {
  const flag = (name: string, field: string, none: string): string[] =>
    differs(given, before, field) ? [`--${name} ${shellWord(textOf(given, field) || none)}`] : [];
  return [
    ...LIMITS.flatMap((limit) => flag(flagName(limit), fieldName(limit), 'none')),
    ...['sandbox', 'user'].flatMap((name) => flag(name, name, 'any')),
  ];
}

export const isolationFlags = (given: Given): string[] => [
  ...boundFlags(given),
  ...words(textOf(given, 'secrets')).map((name) => `--secret ${shellWord(name)}`),
];

export const recipeFlags = (given: Given): string[] => [
  `--recipe ${shellWord(textOf(given, 'recipe'))}`,
  ...Object.entries(paramsIn(given)).map(([name, value]) => `--param ${shellWord(`${name}=${value}`)}`),
];

/** 'memory 512M · sandbox strict · 2 secrets'; '' if nothing is set. */
export function isolationNote(given: Given): string {
  const secrets = words(textOf(given, 'secrets')).length;
  const limits = LIMITS.filter((limit) => limit.name !== 'mode' && textOf(given, fieldName(limit)) !== '');
  return [
    ...limits.map((limit) => `${limitLabel(limit)} ${textOf(given, fieldName(limit))}`),
    ...['sandbox', 'user'].filter((name) => textOf(given, name) !== '').map((name) => `${name} ${given[name]}`),
    ...(secrets === 0 ? [] : [secrets === 1 ? '1 secret' : `${secrets} secrets`]),
  ].join(' · ');
}

/** Returns DB_PASSWORD for 'DB_PASSWORD:file=VARIABLE'. */
export const secretIn = (use: string): string => /^\w*/.exec(use)?.[0] ?? '';
