// --columns: any field of the JSON of a job, by its name.

import { type QueueError, usageError } from '../../../errors/errors.ts';
import { freshJob } from '../../../job/fresh-job.ts';
import { parseJob } from '../../../job/input/input.ts';
import type { Job } from '../../../job/job.ts';
import { type Json, jobToJson } from '../../../job/wire.ts';
import { nearest } from '../../../text/nearest.ts';
import { duration, fromNow } from './human.ts';
import { BY_FIELD, type JobColumn } from '../job.ts';
import { oneLine } from './one-line.ts';

export const jobFields = (): string[] => Object.keys(jobToJson(freshJob(anyJob(), 0)));

const anyJob = () =>
  parseJob(
    { command: 'true' },
    {},
    { now: 0, zone: 'utc', newId: () => 'any', cwd: null, defaults: { maxRetries: 0, timeoutSeconds: null } },
  );

/** Short names for fields. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  peak_memory: ['peak_memory_bytes'],
  cpu: ['cpu_user_ms', 'cpu_system_ms'],
};

const USAGE_FIELDS = Object.values(SHORT).flat();

/** Whether the fields change while a job is running. */
export const areLive = (fields: readonly string[]): boolean => fields.some((field) => USAGE_FIELDS.includes(field));

/** Returns the fields in a list such as 'id,state,last-error', without duplicates. */
export function chosenFields(given: string): string[] {
  const known = jobFields();
  const words = given
    .split(',')
    .map((word) => word.trim().toLowerCase().replaceAll('-', '_'))
    .flatMap((word) => SHORT[word] ?? [word]);
  for (const word of words) if (!known.includes(word)) throw unknownColumn(word, known);
  return [...new Set(words)];
}

function unknownColumn(word: string, known: readonly string[]): QueueError {
  const near = nearest(word, known);
  return usageError(
    word === '' ? 'empty column name' : `unknown column '${word}'`,
    near ? `did you mean '${near}'?` : `use ${known.join(', ')}`,
  );
}

/** Requested columns are never left out. */
export const columnsFor = (fields: readonly string[]): JobColumn[] =>
  fields.map((field) => ({
    ...(BY_FIELD[field] ?? plainColumn(field)),
    when: () => true,
    ofOneKind: false,
    spare: 0,
  }));

const plainColumn = (field: string): JobColumn => ({
  title: field.replaceAll('_', ' '),
  when: () => true,
  cell: (job, now) => shown(field, jsonOf(job)[field], now),
});

const lastSeen = new WeakMap<Job, Json>();

/** Caches the JSON for all columns of a row. */
function jsonOf(job: Job): Json {
  const json = lastSeen.get(job) ?? jobToJson(job);
  lastSeen.set(job, json);
  return json;
}

function shown(field: string, value: unknown, now: number): string {
  if (value === null || value === undefined) return '';
  if (field.endsWith('_at')) return fromNow(Date.parse(String(value)), now);
  if (field.endsWith('_ms')) return duration(Number(value));
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return oneLine(value.join(' '));
  return oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Returns only the chosen fields of the JSON of a job. */
export const pickFields = (json: Json, fields: readonly string[]): Json =>
  Object.fromEntries(fields.map((field) => [field, json[field]]));
