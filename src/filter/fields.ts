// The fields of the filter language: help, and the filter that their values produce.

import { QueueError } from '../errors/errors.ts';
import { FIELD_FILTER_NAMES, type FieldFilterName, fieldFilter } from '../job/fields/filtered.ts';
import { isFingerprint } from '../job/fingerprint.ts';
import { type JobState, STATES } from '../job/job.ts';
import type { JobFilter } from '../store/port/list.ts';
import { nearest } from '../text/nearest.ts';
import { stateMeant } from '../text/synonyms/states.ts';
import { AGE_EXAMPLES, parseAgeMs } from '../time/age.ts';

export interface FilterField {
  readonly help: string;
  /** Words for shell completion. */
  readonly choices?: readonly string[];
  /** `values` is not empty; `name` is the field, or the flag that stands for it. */
  readonly read: (values: readonly string[], now: number, name: string) => JobFilter;
}

/** Fields that the language reads in a way of their own. */
const OTHERS = {
  held: {
    help: 'whether the job is held: yes or no',
    choices: ['yes', 'no'],
    read: (values) => ({ held: isYes(values) }),
  },
  error: {
    help: 'text in the last error, or an error fingerprint (err-...) from dlq list --group-by',
    read: errorFilter,
  },
  older: {
    help: 'finished (or, if unfinished, enqueued) longer ago than this, for example 1d or 12h',
    read: (values, now, name) => ({ before: now - ageOf(values, now, name) }),
  },
  newer: {
    help: 'finished (or, if unfinished, enqueued) within this time, for example 2h or 30m',
    read: (values, now, name) => ({ since: now - ageOf(values, now, name) }),
  },
} as const satisfies Readonly<Record<string, FilterField>>;

const STATE: FilterField = {
  help: 'its state',
  choices: STATES,
  read: (values) => ({ states: values.map((word) => stateNamed(word)) }),
};

export type FilterFieldName = 'state' | FieldFilterName | keyof typeof OTHERS;

export const FILTER_FIELDS = Object.fromEntries<FilterField>([
  ['state', STATE],
  ...FIELD_FILTER_NAMES.flatMap((name): [string, FilterField][] => {
    const { help } = fieldFilter(name);
    return help === undefined ? [] : [[name, { help, read: (values) => ({ [name]: values }) }]];
  }),
  ...Object.entries(OTHERS),
]) as Readonly<Record<FilterFieldName, FilterField>>;

export const FILTER_FIELD_NAMES = Object.keys(FILTER_FIELDS) as FilterFieldName[];

export const isFilterField = (name: string): name is FilterFieldName => Object.hasOwn(FILTER_FIELDS, name);

export function stateNamed(given: string): JobState {
  const word = given.trim().toLowerCase();
  const state = STATES.find((known) => known === word);
  if (state) return state;
  const near = stateMeant(word) ?? nearest(word, STATES);
  throw invalid(`unknown state '${given}'; known states: ${STATES.join(', ')}`, near ? `did you mean '${near}'?` : '');
}

/** A fingerprint is recognized by its format. */
function errorFilter(values: readonly string[]): JobFilter {
  const known = values.filter(isFingerprint);
  if (known.length === 0) return { error: values };
  if (known.length === values.length) return { fingerprint: values };
  throw invalid(
    `'${known[0]}' is an error fingerprint and cannot be combined with a text`,
    'filter by one or the other',
  );
}

function isYes(values: readonly string[]): boolean {
  const [word = ''] = values;
  if (values.length === 1 && ['yes', 'no'].includes(word)) return word === 'yes';
  throw invalid(`'held' must be yes or no, not '${values.join(',')}'`, 'find held jobs with held:yes');
}

function ageOf(values: readonly string[], now: number, name: string): number {
  const [value = '', second] = values;
  if (second !== undefined) throw invalid(`'${name}' takes one duration, not ${values.length}`, 'keep one of them');
  const ms = parseAgeMs(value, now);
  if (ms === null) throw invalid(`'${name}' must be a duration or a date, not '${value}'`, `try ${AGE_EXAMPLES}`);
  return ms;
}

export const invalid = (problem: string, hint: string): QueueError =>
  new QueueError('invalid_filter', { problem, hint });
