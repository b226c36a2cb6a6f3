// What kind of failure this is: two jobs that failed for the same reason have the same fingerprint, though one error names
// another file, number or id than the other. Pure, and stable: stored fingerprints are compared with new ones.

import type { Ending, Outcome } from './job.ts';

/** These are no failures: nobody groups by them. */
const UNREMARKABLE: readonly Outcome[] = ['completed', 'snoozed', 'cancelled', 'released'];

/** As long as what tells errors apart usually is; what follows is mostly a stack or data. */
const MOST_CHARACTERS = 200;

/** Longer texts are not looked at whole: a job may write a line of megabytes. */
const LOOKS_AT = 2000;

/** `error` is what was recorded of it, which may say more than the ending. null: it did not fail. */
export function fingerprintOf(
  { outcome, exitCode, signal }: Pick<Ending, 'outcome' | 'exitCode' | 'signal'>,
  error: string | null,
): string | null {
  if (UNREMARKABLE.includes(outcome)) return null;
  return `${PREFIX}${spell(`${outcome}/${exitCode ?? signal ?? ''}/${errorPattern(error ?? '')}`)}`;
}

const PREFIX = 'err-';
const LENGTH = 8;
const SHAPE = new RegExp(`^${PREFIX}[0-9a-hjkmnp-tv-z]{${LENGTH}}$`);

/** Whether somebody means a fingerprint, and not a text in an error. */
export const isFingerprint = (text: string): boolean => SHAPE.test(text);

type Rewrite = readonly [pattern: RegExp, instead: string];

let known: readonly Rewrite[] | undefined;

/**
 * In this order: what was replaced is not looked at again, as no pattern matches its placeholder. Made when the first
 * error is looked at, as the classes of letters take half a millisecond.
 */
const rewrites = (): readonly Rewrite[] =>
  (known ??= [
    [/"[^"\n]*"|`[^`\n]*`|\u201c[^\u201d\n]*\u201d|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])/gu, '<text>'],
    [/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '<url>'],
    [/(?<![\p{L}\p{N}<])(?:[a-z]:)?[\p{L}\p{N}._~@%+-]*(?:[/\\][\p{L}\p{N}._~@%+-]+)+[/\\]?/giu, '<path>'],
    [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<id>'],
    [/\b\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:z|[+-]\d\d:?\d\d)?/gi, '<n>'],
    [/\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{8,}\b/gi, '<n>'],
    [/\b(?=[a-z0-9_]*\d)(?:[a-z_]+\d+[a-z_]+\d?|\d+[a-z_]+\d+)[a-z0-9_]*\b/gi, '<id>'],
    [/[-+]?\d+(?:[.,:]\d+)*/g, '<n>'],
    [/\s+/g, ' '],
  ]);

/** The error with everything taken out that is about this one job. */
export const errorPattern = (error: string): string =>
  rewrites()
    .reduce((text, [pattern, instead]) => text.replace(pattern, instead), error.slice(0, LOOKS_AT))
    .trim()
    .toLowerCase()
    .slice(0, MOST_CHARACTERS);

/** 32 characters, as in ids. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 40 bits. Not for secrets: it only has to be the same everywhere, and to be made without loading anything. */
function spell(text: string): string {
  let [high, low] = hash(text);
  let word = '';
  for (let i = 0; i < LENGTH / 2; i++) {
    word += (ALPHABET[high & 31] ?? '') + (ALPHABET[low & 31] ?? '');
    [high, low] = [high >>> 5, low >>> 5];
  }
  return word;
}

/** Two halves of a 64-bit mix (cyrb64), over UTF-16 code units. */
function hash(text: string): [number, number] {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a >>> 0, b >>> 0];
}
