// Suggests fields and values of the filter language for the word at the caret. Pure.

import { FILTER_FIELD_NAMES, FILTER_FIELDS, type FilterField, isFilterField } from '../../../src/filter/fields.ts';

export interface Suggestion {
  readonly word: string;
  readonly help: string;
}

/** Existing names of queues, groups and schedules. */
type KnownValues = Readonly<Partial<Record<string, readonly string[]>>>;

const AGES = ['10m', '1h', '1d', '7d', '30d'];
const MOST = 8;

/** The start of the word at the caret, and its text up to the caret. */
export function wordAt(text: string, caret: number): { start: number; word: string } {
  const start = text.slice(0, caret).search(/(?:[^\s"]|"[^"]*"?)*$/);
  return { start, word: text.slice(start, caret) };
}

export function suggestionsFor(word: string, known: KnownValues): Suggestion[] {
  const colon = word.indexOf(':');
  return (colon < 0 ? fieldsLike(word) : valuesLike(word.slice(0, colon), word.slice(colon + 1), known)).slice(0, MOST);
}

const fieldsLike = (start: string): Suggestion[] =>
  FILTER_FIELD_NAMES.filter((name) => name.startsWith(start.toLowerCase()) && name !== start).map((name) => ({
    word: `${name}:`,
    help: FILTER_FIELDS[name].help,
  }));

/** Completes the last of several comma-separated values. */
function valuesLike(field: string, typed: string, known: KnownValues): Suggestion[] {
  if (!isFilterField(field)) return [];
  const comma = typed.lastIndexOf(',') + 1;
  const [before, start] = [typed.slice(0, comma), typed.slice(comma).replaceAll('"', '')];
  return valuesOf(field, known)
    .filter((value) => value.toLowerCase().startsWith(start.toLowerCase()) && value !== start)
    .filter((value) => !before.split(',').includes(value))
    .map((value) => ({ word: `${field}:${before}${quoted(value)}`, help: '' }));
}

function valuesOf(field: string, known: KnownValues): readonly string[] {
  const { choices }: FilterField = FILTER_FIELDS[field as keyof typeof FILTER_FIELDS];
  if (choices) return choices;
  return field === 'older' || field === 'newer' ? AGES : (known[field] ?? []);
}

const quoted = (value: string): string =>
  /[\s",:\\]/.test(value) ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : value;

/** Replaces the word at the caret and moves the caret after it. A space follows a complete word. */
export function completed(text: string, caret: number, word: string): { text: string; caret: number } {
  const { start } = wordAt(text, caret);
  const end = word.endsWith(':') ? '' : ' ';
  const rest = text.slice(caret).replace(/^\S*\s?/, '');

  return { text: `${text.slice(0, start)}${word}${end}${rest}`, caret: start + word.length + end.length };
}
