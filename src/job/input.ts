// The one input schema behind CLI, HTTP and library: what a user may say of a job, under which names,
// and what each value must be. Anything else is refused by name, before anything is stored.

import { isAbsolute, resolve } from 'node:path';
import { QueueError } from '../errors.ts';
import { parseDurationMs } from '../time/duration.ts';
import { ID_MAX_LENGTH, isValidId } from './id.ts';
import { type BackoffStrategy, type Command, type NewJob, STRATEGIES } from './job.ts';
import { nearest } from '../text/nearest.ts';
import type { FixedFields, NewJobFields } from './new-job-input.ts';
import { parseWhen, type Zone } from '../time/when.ts';

export interface InputContext {
  readonly now: number;
  /** How a time without a zone is read: UTC in JSON, local on the command line. */
  readonly zone: Zone;
  readonly newId: () => string;
  /** The working directory of a job that names none; a relative one is taken from here. null: none is known. */
  readonly cwd: string | null;
  readonly defaults: { readonly maxRetries: number; readonly timeoutSeconds: number | null };
}

type Draft = { -readonly [K in keyof NewJob]?: NewJob[K] };
type Reader<T> = (value: unknown, name: string, context: InputContext) => T;
type Rule = { [K in keyof Draft]-?: { field: K; read: Reader<NonNullable<Draft[K]>> } }[keyof Draft];

/** The longest single argument that Linux passes to a program. */
const MAX_ARGUMENT_BYTES = 131_071;
const MAX_TOTAL_BYTES = 1_048_576;
const MAX_RETRIES = 1_000_000;
const MAX_SECONDS = 315_360_000; // ten years
const INT32 = 2_147_483_647;

const rules: Readonly<Record<keyof NewJobFields, Rule>> = {
  id: { field: 'id', read: id },
  command: { field: 'command', read: command },
  cmd: { field: 'command', read: command },
  queue: { field: 'queue', read: id },
  priority: { field: 'priority', read: integer(-INT32 - 1, INT32) },
  max_retries: { field: 'maxRetries', read: integer(0, MAX_RETRIES) },
  max_attempts: { field: 'maxRetries', read: (...args) => integer(1, MAX_RETRIES + 1)(...args) - 1 },
  backoff_base: { field: 'backoffBase', read: number(0, MAX_SECONDS) },
  base_backoff: { field: 'backoffBase', read: number(0, MAX_SECONDS) },
  backoff_strategy: { field: 'backoffStrategy', read: strategy },
  timeout_seconds: { field: 'timeoutSeconds', read: number(0.001, MAX_SECONDS) },
  timeout_ms: { field: 'timeoutSeconds', read: (...args) => number(1, MAX_SECONDS * 1000)(...args) / 1000 },
  timeout: { field: 'timeoutSeconds', read: seconds(0.001) },
  run_at: { field: 'runAt', read: when },
  available_at: { field: 'runAt', read: when },
  next_run_at: { field: 'runAt', read: when },
  delay_seconds: {
    field: 'runAt',
    read: (v, n, c) => c.now + Math.round(number(0, MAX_SECONDS)(v, n, c) * 1000),
  },
  delay: { field: 'runAt', read: (v, n, c) => c.now + Math.round(seconds(0)(v, n, c) * 1000) },
  cwd: { field: 'cwd', read: folder },
  env: { field: 'env', read: env },
  split_output: { field: 'splitOutput', read: flag },
};

/** Accepted so that a stored job's own words can be said back, but only with the value a new job has. */
const fixed: Readonly<Record<keyof FixedFields, unknown>> = { state: 'pending', attempts: 0 };

export const INPUT_FIELDS: readonly string[] = [...Object.keys(rules), ...Object.keys(fixed)];

/** Fields a job has, but nobody can set. */
const outputOnly = new Set([
  'interruptions', 'created_at', 'updated_at', 'started_at', 'finished_at', 'duration_ms', 'exit_code',
  'signal', 'last_error', 'locked_by', 'locked_at', 'log_path', 'history', 'environment',
]); // biome-ignore format: a list of words

/**
 * Checks what a user said of one job and fills in the rest. `overrides` (flags) win over `raw`, field by field,
 * whatever name either used.
 */
export function parseJob(
  raw: unknown,
  overrides: Readonly<Record<string, unknown>>,
  context: InputContext,
): NewJob {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw invalid(
      `a job must be a JSON object, not ${describe(raw)}`,
      'a job looks like {"command":"sleep 2"}',
    );
  }
  const draft: Draft = {
    ...read(raw as Record<string, unknown>, { ...context, zone: 'utc' }),
    ...read(overrides, context),
  };
  if (draft.command === undefined) throw new QueueError('command_required');
  return {
    id: draft.id ?? context.newId(),
    command: draft.command,
    queue: draft.queue ?? 'default',
    priority: draft.priority ?? 0,
    maxRetries: draft.maxRetries ?? context.defaults.maxRetries,
    backoffBase: draft.backoffBase ?? null,
    backoffStrategy: draft.backoffStrategy ?? null,
    timeoutSeconds: draft.timeoutSeconds ?? context.defaults.timeoutSeconds,
    runAt: draft.runAt ?? null,
    cwd: draft.cwd ?? context.cwd,
    env: draft.env ?? {},
    splitOutput: draft.splitOutput ?? false,
  };
}

function read(said: Record<string, unknown>, context: InputContext): Draft {
  const draft: Record<string, unknown> = {};
  const saidAs: Record<string, string> = {};
  for (const [given, value] of Object.entries(said)) {
    const name = given.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (isFixed(name)) {
      checkFixed(name, value);
      continue;
    }
    if (!isField(name)) throw unknownField(given, name);
    const rule = rules[name];
    if (value === null || value === undefined) continue;
    const earlier = saidAs[rule.field];
    if (earlier !== undefined)
      throw invalid(`'${earlier}' and '${given}' say the same thing`, 'keep one of them');
    saidAs[rule.field] = given;
    draft[rule.field] = rule.read(value, given, context);
  }
  return draft as Draft;
}

const isFixed = (name: string): name is keyof FixedFields => Object.hasOwn(fixed, name);
const isField = (name: string): name is keyof NewJobFields => Object.hasOwn(rules, name);

function checkFixed(name: keyof FixedFields, value: unknown): void {
  if (value === fixed[name] || value === null) return;
  throw invalid(
    `'${name}' of a new job can only be ${JSON.stringify(fixed[name])}, not ${describe(value)}`,
    `leave '${name}' out`,
  );
}

function unknownField(given: string, name: string): QueueError {
  if (outputOnly.has(name))
    return invalid(`'${given}' is set by queuectl, not by a new job`, `leave '${given}' out`);
  const near = nearest(name, INPUT_FIELDS);
  return invalid(
    `unknown field ${quote(given)} in the job`,
    near ? `did you mean '${near}'?` : `known fields: ${INPUT_FIELDS.join(', ')}`,
  );
}

function id(value: unknown, field: string): string {
  const given = text(value, field);
  if (isValidId(given)) return given;
  const problem =
    given.length > ID_MAX_LENGTH
      ? `is ${given.length} characters long`
      : `has characters that ${field === 'queue' ? 'a queue name' : 'an id'} cannot have`;
  throw invalid(`'${field}' ${quote(given)} ${problem}`, `1 to ${ID_MAX_LENGTH} of A-Z a-z 0-9 . _ : -`);
}

function command(value: unknown, field: string): Command {
  if (value === '' || (Array.isArray(value) && value.length === 0)) throw new QueueError('command_required');
  if (!Array.isArray(value)) {
    const line = text(value, field, 'a string (run in the shell) or a list of strings (run as it is)');
    if (line.trim() === '') throw new QueueError('command_required');
    return line;
  }
  const list = value.map((argument, i) => (argument === '' ? '' : text(argument, `${field}[${i}]`)));
  if (list[0] === '') throw new QueueError('command_required');
  checkTotal(list, field);
  return list;
}

function folder(value: unknown, field: string, context: InputContext): string {
  const given = text(value, field);
  if (context.cwd !== null) return resolve(context.cwd, given);
  if (isAbsolute(given)) return resolve(given);
  throw invalid(`'${field}' ${quote(given)} is relative, and there is no folder it could start from`);
}

function env(value: unknown, field: string): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrongType(field, 'an object of names and strings', value);
  }
  for (const [key, entry] of Object.entries(value)) {
    if (key === '' || key.includes('='))
      throw invalid(`${quote(key)} cannot be the name of an environment variable`);
    if (entry !== '') text(entry, `${field}.${printable(key)}`);
    text(key, `a name in ${field}`);
  }
  checkTotal(Object.entries(value).flat(), field);
  return { ...(value as Record<string, string>) };
}

function flag(value: unknown, field: string): boolean {
  if (typeof value !== 'boolean') throw wrongType(field, 'true or false', value);
  return value;
}

function strategy(value: unknown, field: string): BackoffStrategy {
  const found = STRATEGIES.find((known) => known === value);
  if (found) return found;
  throw invalid(`'${field}' must be one of ${STRATEGIES.join(', ')}, not ${describe(value)}`);
}

function when(value: unknown, field: string, context: InputContext): number {
  const given = text(value, field, 'a time such as "2026-12-24T18:00:00Z" or "+5m"');
  const at = parseWhen(given, context.now, context.zone);
  if (at !== null) return at;
  throw invalid(
    `'${field}' ${quote(given)} is not a time`,
    "try 2026-12-24T18:00:00Z, +30s, +5m, or on the command line 'tomorrow 9:00'",
  );
}

function seconds(min: number): Reader<number> {
  return (value, field, context) => {
    const ms = typeof value === 'string' ? parseDurationMs(value) : null;
    if (typeof value === 'string' && ms === null) {
      throw invalid(`'${field}' ${quote(value)} is not a duration`, 'try 90s, 5m, 1h30m or 2d');
    }
    return number(min, MAX_SECONDS)(ms === null ? value : ms / 1000, field, context);
  };
}

function integer(min: number, max: number): Reader<number> {
  return (value, field, context) => {
    if (typeof value !== 'number') throw wrongType(field, 'a whole number', value);
    if (Number.isFinite(value) && !Number.isInteger(value)) throw wrongType(field, 'a whole number', value);
    return number(min, max)(value, field, context);
  };
}

function number(min: number, max: number): Reader<number> {
  return (value, field) => {
    if (typeof value !== 'number' || Number.isNaN(value)) throw wrongType(field, 'a number', value);
    if (value < min || value > max) throw invalid(`'${field}' must be from ${min} to ${max}, not ${value}`);
    return value;
  };
}

function text(value: unknown, field: string, expected = 'a string'): string {
  if (typeof value !== 'string') throw wrongType(field, expected, value);
  if (value === '') throw invalid(`'${field}' is empty`);
  if (value.includes('\0'))
    throw invalid(`'${field}' has a NUL byte in it`, 'no program could be given that');
  if (!value.isWellFormed()) throw invalid(`'${field}' is not valid Unicode`);
  if (Buffer.byteLength(value) > MAX_ARGUMENT_BYTES) {
    throw invalid(
      `'${field}' is longer than the ${MAX_ARGUMENT_BYTES} bytes that the system can pass to a program`,
      'put it in a file and run that',
    );
  }
  return value;
}

function checkTotal(values: readonly string[], field: string): void {
  const total = values.reduce((sum, value) => sum + Buffer.byteLength(value) + 1, 0);
  if (total > MAX_TOTAL_BYTES)
    throw invalid(`'${field}' is ${total} bytes long in all, over ${MAX_TOTAL_BYTES}`);
}

const wrongType = (field: string, expected: string, value: unknown): QueueError =>
  invalid(`'${field}' must be ${expected}, not ${describe(value)}`);

const invalid = (problem: string, hint = ''): QueueError => new QueueError('invalid_job', { problem, hint });

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? quote(value) : String(value);
}

const quote = (value: string): string => `'${printable(value)}'`;

/** Short, and without characters that a terminal would obey. */
function printable(value: string): string {
  const shown = value.length > 40 ? `${value.slice(0, 37)}...` : value;
  return shown.replace(/[\p{Cc}\p{Cs}]/gu, '\u{FFFD}');
}
