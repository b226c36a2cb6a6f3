// Readers of field values. Each returns the value to store, or throws an error with one sentence.

import { isAbsolute, resolve } from 'node:path';
import { QueueError } from '../../errors/errors.ts';
import { parseDurationMs } from '../../time/duration.ts';
import { parseWhen, type Zone } from '../../time/when.ts';
import { isDeliveryCommand } from '../flow/delivery.ts';
import { ID_MAX_LENGTH, isValidId, isValidJobId, VALID_NAMES } from '../id.ts';
import type { Command } from '../job.ts';

export interface InputContext {
  readonly now: number;
  /** Zone of times without one: UTC in JSON, local time on the command line. */
  readonly zone: Zone;
  readonly newId: () => string;
  /** Default working directory, and the base of relative paths; null if unknown. */
  readonly cwd: string | null;
  /** Returns the default working directory of jobs in this queue; if absent, it is `cwd`. */
  readonly cwdIn?: (queue: string) => string | null;
  readonly defaults: { readonly maxRetries: number; readonly timeoutSeconds: number | null };
}

export type Reader<T> = (value: unknown, name: string, context: InputContext) => T;

/** Longest single argument that Linux passes to a program. */
const MAX_ARGUMENT_BYTES = 131_071;
const MAX_TOTAL_BYTES = 1_048_576;
export const MAX_RETRIES = 1_000_000;
export const MAX_SECONDS = 315_360_000; // ten years
export const MAX_WEIGHT = 100_000;
export const INT32 = 2_147_483_647;

export function id(value: unknown, field: string): string {
  const given = text(value, field);
  if (isValidId(given)) return given;
  throw invalid(`'${field}' ${quote(given)} ${problemWithName(given, field)}`, VALID_NAMES);
}

function problemWithName(given: string, field: string): string {
  if (given.length > ID_MAX_LENGTH) return `is ${given.length} characters long`;
  if (given === '.' || given === '..') return `cannot be ${nounFor(field)}`;
  return `has characters that ${nounFor(field)} cannot have`;
}

export function jobId(value: unknown, field: string): string {
  const given = id(value, field);
  if (isValidJobId(given)) return given;
  throw invalid(`'${field}' ${quote(given)} is reserved: the HTTP API has /jobs/${given}`, 'choose another');
}

const NOUNS: Readonly<Record<string, string>> = {
  id: 'an id',
  queue: 'a queue name',
  tag: 'a tag',
  tags: 'a tag',
  key: 'a key',
  name: 'a name',
  group: 'the name of a group',
};

/** Other fields name other jobs. */
const nounFor = (field: string): string => NOUNS[field] ?? 'an id or a name';

export function command(value: unknown, field: string): Command {
  if (value === '' || (Array.isArray(value) && value.length === 0)) throw new QueueError('command_required');
  if (!Array.isArray(value)) {
    const line = text(value, field, 'a string (run in the shell) or a list of strings (run without a shell)');
    if (line.trim() === '') throw new QueueError('command_required');
    return line;
  }
  const list = value.map((argument, i) => (argument === '' ? '' : text(argument, `${field}[${i}]`)));
  if (list[0] === '') throw new QueueError('command_required');
  checkTotal(list, field);
  if (isDeliveryCommand(list))
    throw invalid(
      `'${field}' is the internal command that delivers webhooks`,
      'to call a webhook, use --on-success, --on-failure or --on-dead URL',
    );
  return list;
}

export function folder(value: unknown, field: string, context: InputContext): string {
  const given = text(value, field);
  if (context.cwd !== null) return resolve(context.cwd, given);
  if (isAbsolute(given)) return resolve(given);
  throw invalid(`'${field}' ${quote(given)} is relative, but there is no working directory to resolve it`);
}

/** More than any program needs, but quick to check. */
const MOST_VARIABLES = 10_000;

export function env(value: unknown, field: string): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrongType(field, 'an object of names and strings', value);
  }
  const count = Object.keys(value).length;
  if (count > MOST_VARIABLES) throw invalid(`'${field}' has ${count} variables; the maximum is ${MOST_VARIABLES}`);
  for (const [key, entry] of Object.entries(value)) {
    if (key === '' || key.includes('=')) throw invalid(`${quote(key)} cannot be the name of an environment variable`);
    if (entry !== '') text(entry, `${field}.${printable(key)}`);
    text(key, `a name in ${field}`);
  }
  checkTotal(Object.entries(value).flat(), field);
  return { ...(value as Record<string, string>) };
}

export function flag(value: unknown, field: string): boolean {
  if (typeof value !== 'boolean') throw wrongType(field, 'true or false', value);
  return value;
}

const MOST_TAGS = 100;

/** Reads one tag or a list; removes duplicates. */
export function tags(value: unknown, field: string): readonly string[] {
  const given = [...new Set([value].flat().map((tag) => id(tag, field)))];
  if (given.length > MOST_TAGS) throw invalid(`'${field}' has ${given.length} tags; the maximum is ${MOST_TAGS}`);
  return given;
}

/** Reads one of these words. */
export const oneOf =
  <T extends string>(words: readonly T[]) =>
  (value: unknown, field: string): T => {
    const found = words.find((word) => word === value);
    if (found) return found;
    throw invalid(`'${field}' must be one of ${words.join(', ')}, not ${describe(value)}`);
  };

export function when(value: unknown, field: string, context: InputContext): number {
  const given = text(value, field, 'a time such as "2026-12-24T18:00:00Z" or "+5m"');
  const at = parseWhen(given, context.now, context.zone);
  if (at !== null) return at;
  throw invalid(
    `'${field}' ${quote(given)} is not a time`,
    "try 2026-12-24T18:00:00Z, +30s, +5m, or on the command line 'tomorrow 9:00'",
  );
}

export function seconds(min: number): Reader<number> {
  return (value, field, context) => {
    const ms = typeof value === 'string' ? parseDurationMs(value) : null;
    if (typeof value === 'string' && ms === null) {
      throw invalid(`'${field}' ${quote(value)} is not a duration`, 'try 90s, 5m, 1h30m or 2d');
    }
    return number(min, MAX_SECONDS)(ms === null ? value : ms / 1000, field, context);
  };
}

export function integer(min: number, max: number): Reader<number> {
  return (value, field, context) => {
    if (typeof value !== 'number') throw wrongType(field, 'a whole number', value);
    if (Number.isFinite(value) && !Number.isInteger(value)) throw wrongType(field, 'a whole number', value);
    return number(min, max)(value, field, context);
  };
}

export function number(min: number, max: number): Reader<number> {
  return (value, field) => {
    if (typeof value !== 'number' || Number.isNaN(value)) throw wrongType(field, 'a number', value);
    if (value < min || value > max) throw invalid(`'${field}' must be from ${min} to ${max}, not ${value}`);
    return value;
  };
}

export function text(value: unknown, field: string, expected = 'a string'): string {
  if (typeof value !== 'string') throw wrongType(field, expected, value);
  if (value === '') throw invalid(`'${field}' is empty`);
  if (value.includes('\0')) throw invalid(`'${field}' has a NUL byte in it`, 'programs cannot receive NUL bytes');
  if (!value.isWellFormed()) throw invalid(`'${field}' is not valid Unicode`);
  if (Buffer.byteLength(value) > MAX_ARGUMENT_BYTES) {
    throw invalid(
      `'${field}' is longer than the ${MAX_ARGUMENT_BYTES} bytes that the system can pass to a program`,
      'put it in a file and run the file',
    );
  }
  return value;
}

function checkTotal(values: readonly string[], field: string): void {
  const total = values.reduce((sum, value) => sum + Buffer.byteLength(value) + 1, 0);
  if (total > MAX_TOTAL_BYTES)
    throw invalid(`'${field}' is ${total} bytes long in total; the maximum is ${MAX_TOTAL_BYTES}`);
}

export const wrongType = (field: string, expected: string, value: unknown): QueueError =>
  invalid(`'${field}' must be ${expected}, not ${describe(value)}`);

export const invalid = (problem: string, hint = ''): QueueError => new QueueError('invalid_job', { problem, hint });

export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? quote(value) : String(value);
}

export const quote = (value: string): string => `'${printable(value)}'`;

/** Shortens the value and replaces characters that a terminal would interpret. */
function printable(value: string): string {
  const shown = value.length > 40 ? `${value.slice(0, 37)}...` : value;
  return shown.replace(/[\p{Cc}\p{Cs}]/gu, '\u{FFFD}');
}
