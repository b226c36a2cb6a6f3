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
  readonly means: string;
  /** Words for shell completion. */
  readonly choices?: readonly string[];
  /** `values` is not empty; `name` is the field, or the flag that stands for it. */
  readonly read: (values: readonly string[], now: number, name: string) => JobFilter;
}

/** Fields that the language reads in a way of their own. */
const OTHERS = {
  held: {
    means: 'whether a person holds it back: yes, no',
    choices: ['yes', 'no'],
    read: (values) => ({ held: isYes(values) }),
  },
  error: { means: 'a text in its last error, or err-... from dlq list --group-by', read: errorFilter },
  older: {
    means: 'finished, or else enqueued, longer ago than this: 1d, 12h',
    read: (values, now, name) => ({ before: now - ageOf(values, now, name) }),
  },
  newer: {
    means: 'finished, or else enqueued, within this time: 2h, 30m',
    read: (values, now, name) => ({ since: now - ageOf(values, now, name) }),
  },
} as const satisfies Readonly<Record<string, FilterField>>;

const STATE: FilterField = {
  means: 'its state',
  choices: STATES,
  read: (values) => ({ states: values.map((word) => stateNamed(word)) }),
};

export type FilterFieldName = 'state' | FieldFilterName | keyof typeof OTHERS;

export const FILTER_FIELDS = Object.fromEntries<FilterField>([
  ['state', STATE],
  ...FIELD_FILTER_NAMES.flatMap((name): [string, FilterField][] => {
    const { means } = fieldFilter(name);
    return means === undefined ? [] : [[name, { means, read: (values) => ({ [name]: values }) }]];
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
  throw invalid(
    `unknown state '${given}': there are ${STATES.join(', ')}`,
    near ? `did you mean '${near}'?` : '',
  );
}

/** A fingerprint is recognized by its format. */
function errorFilter(values: readonly string[]): JobFilter {
  const known = values.filter(isFingerprint);
  if (known.length === 0) return { error: values };
  if (known.length === values.length) return { fingerprint: values };
  throw invalid(`'${known[0]}' is the fingerprint of an error, beside a text`, 'ask for one or the other');
}

function isYes(values: readonly string[]): boolean {
  const [word = ''] = values;
  if (values.length === 1 && ['yes', 'no'].includes(word)) return word === 'yes';
  throw invalid(
    `'held' is yes or no, not '${values.join(',')}'`,
    'held:yes finds the jobs that a person holds',
  );
}

function ageOf(values: readonly string[], now: number, name: string): number {
  const [value = '', second] = values;
  if (second !== undefined) throw invalid(`'${name}' takes one duration, not ${values.length}`, 'keep one');
  const ms = parseAgeMs(value, now);
  if (ms === null)
    throw invalid(`'${name}' needs a duration or a day, not '${value}'`, `try ${AGE_EXAMPLES}`);
  return ms;
}

export const invalid = (problem: string, hint: string): QueueError =>
  new QueueError('invalid_filter', { problem, hint });
