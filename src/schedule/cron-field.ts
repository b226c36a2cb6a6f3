// The fields of a cron expression: their values, and errors for invalid ones. croner accepts everything that passes
// here.

import { invalid, quote } from './invalid.ts';

export type FieldName = 'second' | 'minute' | 'hour' | 'day of month' | 'month' | 'day of week';

interface FieldSpec {
  readonly min: number;
  readonly max: number;
  /** Names for values, starting at `min`. */
  readonly words: readonly string[];
  /** Items that only this field allows, such as `L`. */
  readonly special: RegExp | null;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const DAY_OF_MONTH_SPECIAL = /^(\?|L|LW|([1-9]|[12]\d|3[01])W)$/;
const DAY_OF_WEEK_SPECIAL = new RegExp(`^(\\?|([0-7]|${DAYS.join('|')})(#[1-5]|#L|L))$`);

const FIELDS: Readonly<Record<FieldName, FieldSpec>> = {
  second: { min: 0, max: 59, words: [], special: null },
  minute: { min: 0, max: 59, words: [], special: null },
  hour: { min: 0, max: 23, words: [], special: null },
  'day of month': { min: 1, max: 31, words: [], special: DAY_OF_MONTH_SPECIAL },
  month: { min: 1, max: 12, words: MONTHS, special: null },
  'day of week': { min: 0, max: 7, words: DAYS, special: DAY_OF_WEEK_SPECIAL },
};

const ITEM = /^(?:(\*)|([A-Z0-9]+)(?:-([A-Z0-9]+))?)(?:\/(\d+))?$/;

/** Returns the field in croner's syntax, or throws. */
export function readField(name: FieldName, text: string): string {
  const items = text.toUpperCase().split(',');
  return items.map((item) => readItem(name, item)).join(',');
}

function readItem(name: FieldName, item: string): string {
  const spec = FIELDS[name];
  if (spec.special?.test(item)) return item;
  const match = ITEM.exec(item);
  if (!match) throw wrong(name, item, whatFits(name));
  const [, star, first, last, step] = match;
  if (step !== undefined) checkStep(name, item, Number(step));
  if (star !== undefined) return item;
  const from = numberOf(name, item, first ?? '');
  if (last !== undefined) checkRange(name, item, from, numberOf(name, item, last));
  // croner requires the end of the range in `5/15`.
  return step !== undefined && last === undefined ? `${from}-${largest(name)}/${step}` : item;
}

/** 7 also means Sunday, but ranges end with Saturday. */
const largest = (name: FieldName): number => (name === 'day of week' ? 6 : FIELDS[name].max);

function numberOf(name: FieldName, item: string, text: string): number {
  const { min, max, words } = FIELDS[name];
  const word = words.indexOf(text);
  const value = word >= 0 ? word + min : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw wrong(name, item, whatFits(name));
}

function checkStep(name: FieldName, item: string, step: number): void {
  const { min } = FIELDS[name];
  const most = largest(name) - min + 1;
  if (step >= 1 && step <= most) return;
  throw wrong(name, item, `use a step from 1 to ${most}; for other intervals use --every, for example --every 90m`);
}

function checkRange(name: FieldName, item: string, from: number, to: number): void {
  if (from <= to) return;
  const [start, end] = item.replace(/\/.*/, '').split('-');
  const split = `${start}-${largest(name)},${FIELDS[name].min}-${end}`;
  throw wrong(name, item, `start a range with its smaller value: ${split} wraps around`);
}

const wrong = (name: FieldName, item: string, hint: string) =>
  invalid(`cron field '${name}': invalid value ${quote(item)}`, hint);

function whatFits(name: FieldName): string {
  const { min, max, words } = FIELDS[name];
  const values = [`${min} to ${max}`, ...(words.length > 0 ? [`${words[0]} to ${words.at(-1)}`] : [])];
  const forms = ['*', '*/2', '1-5', '1,3', ...(SPECIAL_EXAMPLES[name] ?? [])];
  return `use ${values.join(' or ')}, or forms such as ${forms.join(' ')}`;
}

const SPECIAL_EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  'day of month': ['L', 'LW', '15W'],
  'day of week': ['MON#1', '5L'],
};
