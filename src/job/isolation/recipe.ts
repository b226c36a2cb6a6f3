// Turns a recipe and its parameters into a command: a list of words that no shell interprets. Each parameter is checked
// by type, stays within its word, and cannot become an option. Pure.

import { isAbsolute, resolve } from 'node:path';
import { QueueError } from '../../errors/errors.ts';
import { type LinearPattern, linearPattern } from '../../text/linear-pattern.ts';
import { nearest } from '../../text/nearest.ts';
import { quote } from '../input/input-readers.ts';
import { isBelow } from './policy.ts';
import type { Parameter } from './recipe-parameter.ts';
import { invalidRecipe, isParameter, readRecipe, type Recipe, type Word } from './recipe-text.ts';

export type Params = Readonly<Record<string, string>>;

/** A path parameter and the directory it must be in. */
export interface BoundPath {
  readonly parameter: string;
  readonly path: string;
  readonly folder: string;
}

export interface FilledRecipe {
  readonly command: readonly string[];
  /** Absolute paths. The caller resolves symbolic links. */
  readonly paths: readonly BoundPath[];
}

/** Validates a recipe before it is stored, including its bounds and defaults. */
export function checkedRecipe(name: string, command: readonly string[]): Recipe {
  const recipe = readRecipe(name, command);
  for (const parameter of recipe.parameters.values()) {
    const problem = problemWithBounds(parameter) ?? problemWithDefault(parameter);
    if (problem !== null) throw invalidRecipe(`parameter '${parameter.name}': ${problem}`);
  }
  return recipe;
}

function problemWithBounds({ type, bounds, name }: Parameter): string | null {
  if (bounds === null) return type === 'choice' ? `missing choices: write {${name}:choice(fast,slow)}` : null;
  if (type === 'int' || type === 'number') return rangeOf(bounds) ? null : `'${bounds}' is not a range such as 1..100`;
  if (type === 'string') return linearPattern(bounds) ? null : `'${bounds}' is not a pattern that recipes support`;
  if (type === 'path') return isAbsolute(bounds) ? null : `'${bounds}' is not an absolute path`;
  return bounds.split(',').every((choice) => choice !== '') ? null : 'one of its choices is empty';
}

function problemWithDefault(parameter: Parameter): string | null {
  const { fallback } = parameter;
  const problem = fallback === null ? null : problemWith(parameter, fallback, null);
  return problem === null ? null : `the default ${problem}`;
}

/**
 * `cwd` is the job's working directory; if it is null because it is unknown, paths are not checked against it. Throws
 * invalid_job if a parameter is invalid.
 */
export function fillRecipe(recipe: Recipe, params: Params, cwd: string | null): FilledRecipe {
  for (const name of Object.keys(params)) if (!recipe.parameters.has(name)) throw unknown(recipe, name);
  const values = new Map([...recipe.parameters].map(([name, one]) => [name, valueFor(recipe, one, params, cwd)]));
  const valueIn = (part: string | Parameter): string => (isParameter(part) ? (values.get(part.name) ?? '') : part);
  const command = recipe.words.map((word) => word.map(valueIn).join(''));
  for (const [i, word] of recipe.words.entries())
    checkNoOption(recipe, word, command[i] ?? '', recipe.words.slice(0, i));
  return { command, paths: boundPaths(recipe, values, cwd) };
}

function valueFor(recipe: Recipe, parameter: Parameter, params: Params, cwd: string | null): string {
  const { name, fallback } = parameter;
  const value = Object.hasOwn(params, name) ? params[name] : fallback;
  if (value === null || value === undefined)
    throw wrong(
      recipe,
      `missing parameter '${name}'`,
      `add --param ${name}=VALUE; show the recipe: queuectl recipe show ${recipe.name}`,
    );
  const problem = problemWith(parameter, value, cwd);
  if (problem === null) return value;
  throw wrong(recipe, `parameter '${name}' ${problem}`, `show the recipe: queuectl recipe show ${recipe.name}`);
}

/** Linux rejects longer arguments. */
const LONGEST_WORD = 128 * 1024 - 1;

/** Returns a problem such as "must be a whole number, not 'x'", or null if the value is valid. */
function problemWith(parameter: Parameter, value: string, cwd: string | null): string | null {
  if (value.includes('\0') || !value.isWellFormed()) return 'contains a character that cannot be passed to a program';
  if (Buffer.byteLength(value) > LONGEST_WORD) return 'is longer than 128 KiB and cannot be passed to a program';
  const { type, bounds } = parameter;
  if (type === 'int' || type === 'number') return problemWithNumber(type, bounds, value);
  if (type === 'choice')
    return (bounds ?? '').split(',').includes(value) ? null : `must be one of ${bounds}, not ${quote(value)}`;
  if (type === 'path') return problemWithPath(bounds, value, cwd);
  return bounds === null ? null : problemWithText(patternOf(parameter, bounds), bounds, value);
}

function problemWithText(pattern: LinearPattern | null, bounds: string, value: string): string | null {
  if (pattern !== null && value.length > pattern.longest)
    return `must have at most ${pattern.longest} characters to match ${bounds}, but has ${value.length}`;
  return pattern?.test(value) ? null : `must match ${bounds}, not ${quote(value)}`;
}

/** Cached, because one recipe can produce thousands of jobs. */
const patterns = new WeakMap<Parameter, LinearPattern | null>();

function patternOf(parameter: Parameter, bounds: string): LinearPattern | null {
  const known = patterns.get(parameter);
  if (known !== undefined) return known;
  const made = linearPattern(bounds);
  patterns.set(parameter, made);
  return made;
}

const NUMBERS = { int: /^-?\d{1,15}$/, number: /^-?\d{1,15}(?:\.\d{1,15})?$/ };

/** Negative values need a range that allows them, because -5 or -0 could be taken for an option. */
function problemWithNumber(type: 'int' | 'number', bounds: string | null, value: string): string | null {
  const what = type === 'int' ? 'a whole number' : 'a number';
  if (!NUMBERS[type].test(value)) return `must be ${what}, not ${quote(value)}`;
  const { min, max } = rangeOf(bounds ?? '0..') ?? { min: 0, max: Number.POSITIVE_INFINITY };
  const isOption = value.startsWith('-') && min >= 0;
  if (!isOption && Number(value) >= min && Number(value) <= max) return null;
  const range = max === Number.POSITIVE_INFINITY ? `at least ${min}` : `from ${min} to ${max}`;
  return `must be ${what} ${min === Number.NEGATIVE_INFINITY ? `up to ${max}` : range}, not ${value}`;
}

function rangeOf(bounds: string): { min: number; max: number } | null {
  const [, min = '', max = ''] = /^(-?\d+(?:\.\d+)?)?\.\.(-?\d+(?:\.\d+)?)?$/.exec(bounds) ?? [];
  if (min === '' && max === '') return null;
  return {
    min: min === '' ? Number.NEGATIVE_INFINITY : Number(min),
    max: max === '' ? Number.POSITIVE_INFINITY : Number(max),
  };
}

function problemWithPath(bounds: string | null, value: string, cwd: string | null): string | null {
  if (value === '') return 'is an empty path';
  if (value.startsWith('-')) return `${quote(value)} looks like an option; write ./${value} for a file of that name`;
  if (bounds === null) return null;
  if (!isAbsolute(bounds))
    return `has no base directory; add the recipe again with an absolute path instead of (${bounds})`;
  if (cwd === null) return null;
  const folder = resolve(bounds);
  return isBelow(resolve(cwd, value), folder) && !value.split('/').includes('..')
    ? null
    : `must be below ${folder}, not ${quote(value)}`;
}

/** A word that begins with a caller's value must not begin with a dash, except after `--`. */
function checkNoOption(recipe: Recipe, word: Word, text: string, before: readonly Word[]): void {
  const [first] = word;
  if (first === undefined || !isParameter(first) || first.type !== 'string' || !text.startsWith('-')) return;
  if (before.some((earlier) => earlier.length === 1 && earlier[0] === '--')) return;
  throw wrong(
    recipe,
    `parameter '${first.name}' ${quote(text)} looks like an option`,
    'allow it by adding the word -- before the parameter in the recipe',
  );
}

function boundPaths({ parameters }: Recipe, values: ReadonlyMap<string, string>, cwd: string | null): BoundPath[] {
  if (cwd === null) return [];
  return [...parameters.values()].flatMap(({ name, type, bounds }) =>
    type === 'path' && bounds !== null
      ? [{ parameter: name, path: resolve(cwd, values.get(name) ?? ''), folder: resolve(bounds) }]
      : [],
  );
}

function unknown({ name: recipe, parameters }: Recipe, name: string): QueueError {
  const near = nearest(name, [...parameters.keys()]);
  const known = `known parameters: ${[...parameters.keys()].join(', ') || 'none'}`;
  const hint = near ? `did you mean '${near}'?` : known;
  return new QueueError('invalid_job', { problem: `recipe '${recipe}' has no parameter '${name}'`, hint });
}

const wrong = ({ name }: Recipe, problem: string, hint: string): QueueError =>
  new QueueError('invalid_job', { problem: `recipe '${name}': ${problem}`, hint });
