// Measures, cuts and wraps text in terminal columns. If the width is null, as when piped, nothing is cut or wrapped.

import { stripVTControlCharacters } from 'node:util';

export { oneLine } from './one-line.ts';

export function cut(text: string, width: number): string {
  if (visibleWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter().segment(stripVTControlCharacters(text))) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

let graphemes: Intl.Segmenter | undefined;

/** Created only when needed: ASCII text does not need it. */
function segmenter(): Intl.Segmenter {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return graphemes;
}

/** ASCII, Latin letters and common symbols: one column each. */
const NARROW = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2026\u2190-\u2193\u23ce\u2713\u2717]*$/;

/** Returns the width in columns: wide characters and emoji have two, combining marks none. */
export function visibleWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter().segment(stripVTControlCharacters(text))) width += widthOf(segment);
  return width;
}

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

const widthOf = (grapheme: string): number => (WIDE.test(grapheme) || grapheme.includes('\ufe0f') ? 2 : 1);

/** Wraps text between words, and inside words that are wider than a line. */
export const words = (text: string, width: number): string[] =>
  pack(
    text.split(' ').flatMap((word) => pieces(word, width)),
    ' ',
    width,
  );

const pieces = (word: string, width: number): string[] =>
  visibleWidth(word) <= width ? [word] : pack([...word], '', width);

/** Joins items with ' · ' on as few lines as possible, without breaking them. */
export function flow(items: readonly string[], width: number | null, indent = ''): string {
  const room = width === null ? null : width - indent.length;
  return pack(items, ' · ', room)
    .map((line) => indent + line)
    .join('\n');
}

/** Puts a label before the items, and aligns further lines. */
export function labelled(label: string, labelWidth: number, items: readonly string[], width: number | null): string {
  const indent = ' '.repeat(labelWidth);
  return label.padEnd(labelWidth) + flow(items, width, indent).slice(labelWidth);
}

function pack(parts: readonly string[], separator: string, width: number | null): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const longer = `${last}${separator}${part}`;
    if (last === undefined || (width !== null && visibleWidth(longer) > width)) lines.push(part);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
