// Which jobs a command is about: words of the filter language, and flags that say the same.

import { FILTER_FIELDS, type FilterField, type FilterFieldName } from '../../filter/fields.ts';
import { allOf, parseFilter } from '../../filter/filter.ts';
import { FIELD_FILTER_NAMES, fieldFilter } from '../../job/fields/filtered.ts';
import { STATES } from '../../job/job.ts';
import type { JobFilter } from '../../store/store.ts';
import type { Context, Options, OptionSpec } from '../command.ts';

export const STATE_OPTION: Readonly<Record<string, OptionSpec>> = {
  state: {
    kind: 'text',
    short: 's',
    value: 'STATE',
    many: true,
    help: 'select jobs in this state (repeatable, or a,b)',
    choices: STATES,
  },
};

export const FILTER_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  ...Object.fromEntries(
    FIELD_FILTER_NAMES.flatMap((name): [string, OptionSpec][] => {
      const { flag } = fieldFilter(name);
      return flag === undefined ? [] : [[name.replaceAll('_', '-'), { kind: 'text', ...flag }]];
    }),
  ),
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
};

/** The fields of the language, as a help shows them. */
export const FILTER_NOTE = `Filter fields: ${Object.keys(FILTER_FIELDS)
  .map((name) => `${name}:`)
  .join(
    ' ',
  )}; other words search the text. All terms must match; a,b matches either value; quotes keep words together: error:"no such file".`;

/** What the words and the flags ask for, all of it. `among`: the flags that choose jobs here. */
export const filterFrom = (
  { options }: Pick<Context, 'options'>,
  words: readonly string[],
  now: number,
  among: readonly string[] = FLAGS,
): JobFilter =>
  allOf([
    ...FLAGS.filter((flag) => among.includes(flag) && options.has(flag)).map((flag) =>
      flagFilter(options, flag, now),
    ),
    ...[parseFilter(words.join(' '), now)].filter((said) => Object.keys(said).length > 0),
  ]);

const FLAGS = [...Object.keys(STATE_OPTION), ...Object.keys(FILTER_OPTIONS)];

/** The fields that are called otherwise. */
const FIELD_OF: Readonly<Record<string, FilterFieldName>> = { 'older-than': 'older', 'newer-than': 'newer' };

function flagFilter(options: Options, flag: string, now: number): JobFilter {
  if (flag === 'search') return { search: options.text(flag) };
  if (flag === 'tag') return allOf(options.all(flag).map((tag) => ({ tag })));
  const field: FilterField = FILTER_FIELDS[FIELD_OF[flag] ?? (flag as FilterFieldName)];
  return field.read(valuesOf(options, flag), now, `--${flag}`);
}

function valuesOf(options: Options, flag: string): readonly string[] {
  const { kind, many } = { ...STATE_OPTION, ...FILTER_OPTIONS }[flag] as OptionSpec;
  if (kind === 'age') return [`${options.number(flag)}s`];
  return many ? options.all(flag).flatMap((list) => list.split(',')) : [options.text(flag) ?? ''];
}
