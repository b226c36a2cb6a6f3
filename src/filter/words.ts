// Splits a filter into words with their fields and values. Double quotes protect spaces and commas. A backslash escapes
// a quote, comma, colon, space or backslash, and is literal elsewhere, as in C:\temp.

import { QueueError } from '../errors/errors.ts';

export interface Word {
  /** As typed, for messages. */
  readonly typed: string;
  /** Null for a text to search. */
  readonly field: string | null;
  /** One of them must match. A text has exactly one. */
  readonly values: readonly string[];
  /** Position in the text, starting at 1. */
  readonly at: number;
}

/** A character, and whether it is literal. */
interface Character {
  readonly char: string;
  readonly isPlain: boolean;
}

const ESCAPABLE = /^["\\,:\s]$/;
const FIELD = /^[a-z][a-z_-]*$/i;

export function wordsOf(text: string): Word[] {
  return split(charactersOf(text), ({ char, isPlain }) => !isPlain && /\s/.test(char))
    .filter((word) => word.length > 0)
    .map(wordOf);
}

type Marked = Character & { readonly typed: string; readonly at: number };

function charactersOf(text: string): Marked[] {
  const found: Marked[] = [];
  let isQuoted = false;
  let openedAt = 0;
  const characters = [...text];
  for (let at = 0; at < characters.length; at++) {
    const char = characters[at] ?? '';
    const next = characters[at + 1] ?? '';
    if (char === '\\' && ESCAPABLE.test(next)) {
      found.push({ char: next, isPlain: true, typed: char + next, at });
      at++;
    } else if (char === '"') {
      isQuoted = !isQuoted;
      if (isQuoted) openedAt = at;
      found.push({ char: '', isPlain: true, typed: char, at });
    } else found.push({ char, isPlain: isQuoted, typed: char, at });
  }
  if (isQuoted) throw unclosed(text, openedAt + 1);
  return found;
}

const unclosed = (text: string, position: number): QueueError =>
  new QueueError('invalid_filter', {
    problem: `a quote is not closed in the filter: ${text}`,
    hint: 'add the closing quote, or write \\" to search for a quote',
    position,
  });

function wordOf(characters: readonly Marked[]): Word {
  const typed = characters.map((one) => one.typed).join('');
  const colon = characters.findIndex(({ char, isPlain }) => char === ':' && !isPlain);
  const name = characters.slice(0, Math.max(0, colon));
  const isField = name.every(({ isPlain }) => !isPlain) && FIELD.test(textOf(name));
  const at = (characters[0]?.at ?? 0) + 1;
  if (!isField) return { typed, at, field: null, values: [textOf(characters)] };
  const values = split(characters.slice(colon + 1), ({ char, isPlain }) => char === ',' && !isPlain);
  return { typed, at, field: textOf(name).toLowerCase(), values: values.map(textOf) };
}

const textOf = (characters: readonly Character[]): string => characters.map(({ char }) => char).join('');

function split<T>(items: readonly T[], isBetween: (item: T) => boolean): T[][] {
  const parts: T[][] = [[]];
  for (const item of items) {
    if (isBetween(item)) parts.push([]);
    else parts.at(-1)?.push(item);
  }
  return parts;
}
