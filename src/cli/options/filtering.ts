// Which jobs a command is about: words of the filter language, and options with the same meaning.

import { FILTER_FIELDS, type FilterField, type FilterFieldName } from '../../filter/fields.ts';
import { allOf, parseFilter } from '../../filter/filter.ts';
import { FIELD_FILTER_NAMES, type FIELD_FILTERS, fieldFilter } from '../../job/fields/filtered.ts';
import { STATES } from '../../job/job.ts';
import type { JobFilter } from '../../store/store.ts';
import { type Dashed, dashed } from '../../text/dashed.ts';
import type { Context, OptionSpecs, OptionValue } from '../command.ts';

export const STATE_OPTION = {
  state: {
    kind: 'text',
    short: 's',
    value: 'STATE',
    many: true,
    help: 'select jobs in this state (repeatable, or a,b)',
    choices: STATES,
  },
} satisfies OptionSpecs;

type Filters = typeof FIELD_FILTERS;
type FieldFlags = {
  readonly [N in keyof Filters as Filters[N] extends { flag: object } ? Dashed<N> : never]: {
    readonly kind: 'text';
  } & (Filters[N] extends { flag: infer Flag } ? Flag : never);
};

const fieldFlags = Object.fromEntries(
  FIELD_FILTER_NAMES.flatMap((name) => {
    const { flag } = fieldFilter(name);
    return flag === undefined ? [] : [[dashed(name), { kind: 'text', ...flag }]];
  }),
) as FieldFlags;

export const FILTER_OPTIONS = {
  ...fieldFlags,
  search: {
    kind: 'text',
    value: 'TEXT',
    help: 'select jobs with this text in the ID, command or last error',
  },
  error: {
    kind: 'text',
    value: 'TEXT',
    help: 'select jobs with this text in the last error, or an error fingerprint (err-...)',
  },
  'older-than': {
    kind: 'age',
    value: 'AGE',
    help: 'select jobs that finished (or, if unfinished, were enqueued) before this: 1d, yesterday',
  },
  'newer-than': {
    kind: 'age',
    value: 'AGE',
    help: 'select jobs that finished (or, if unfinished, were enqueued) since this: 2h, yesterday',
  },
} satisfies OptionSpecs;

export const FILTER_NOTE = `Filter fields: ${Object.keys(FILTER_FIELDS)
  .map((name) => `${name}:`)
  .join(
    ' ',
  )}; other words search the text. All terms must match; a,b matches either value; quotes keep words together: error:"no such file".`;

/** Returns the filter for these words and options. `among`: the options that select jobs in this command. */
export const filterFrom = (
  { options }: Context,
  words: readonly string[],
  now: number,
  among: readonly string[] = FLAGS,
): JobFilter =>
  allOf([
    ...Object.entries(options.pick(...FLAGS.filter((flag) => among.includes(flag)))).map(([flag, value]) =>
      flagFilter(flag, value, now),
    ),
    ...[parseFilter(words.join(' '), now)].filter((filter) => Object.keys(filter).length > 0),
  ]);

const FLAGS = [...Object.keys(STATE_OPTION), ...Object.keys(FILTER_OPTIONS)];

/** Options whose field has another name. */
const FIELD_OF: Readonly<Record<string, FilterFieldName>> = { 'older-than': 'older', 'newer-than': 'newer' };

function flagFilter(flag: string, value: OptionValue, now: number): JobFilter {
  if (flag === 'search') return { search: String(value) };
  if (flag === 'tag') return allOf((value as readonly string[]).map((tag) => ({ tag })));
  const field: FilterField = FILTER_FIELDS[FIELD_OF[flag] ?? (flag as FilterFieldName)];
  return field.read(wordsOf(value), now, `--${flag}`);
}

/** An age was read as seconds. */
function wordsOf(value: OptionValue): readonly string[] {
  if (typeof value === 'number') return [`${value}s`];
  return typeof value === 'object' ? value.flatMap((list) => list.split(',')) : [String(value)];
}
