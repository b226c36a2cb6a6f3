// Error fingerprints: jobs that failed for the same reason share one, even if their errors name different files,
// numbers or IDs. Pure, and stable across versions: stored fingerprints are compared with new ones.

import type { Ending, Outcome } from './job.ts';

/** Outcomes that are not failures and get no fingerprint. */
const UNREMARKABLE: readonly Outcome[] = ['completed', 'snoozed', 'cancelled', 'released'];

/** Errors usually differ within this length; the rest is mostly stack traces or data. */
const MOST_CHARACTERS = 200;

/** Limits the work for jobs that write a line of several megabytes. */
const LOOKS_AT = 2000;

/** `error` is the recorded error, which may contain more than the ending. Returns null if the attempt did not fail. */
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

/** Tells a fingerprint from a text to search for in errors. */
export const isFingerprint = (text: string): boolean => SHAPE.test(text);

type Rewrite = readonly [pattern: RegExp, instead: string];

let known: readonly Rewrite[] | undefined;

/**
 * Order matters: no pattern matches the placeholder of an earlier one. Compiled on first use, because the Unicode
 * letter classes take half a millisecond.
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

/** Returns the error without the parts that are specific to one job. */
export const errorPattern = (error: string): string =>
  rewrites()
    .reduce((text, [pattern, instead]) => text.replace(pattern, instead), error.slice(0, LOOKS_AT))
    .trim()
    .toLowerCase()
    .slice(0, MOST_CHARACTERS);

/** 32 characters, as in IDs. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 40 bits. Not cryptographic: the hash only has to be stable and cheap to load. */
function spell(text: string): string {
  let [high, low] = hash(text);
  let word = '';
  for (let i = 0; i < LENGTH / 2; i++) {
    word += (ALPHABET[high & 31] ?? '') + (ALPHABET[low & 31] ?? '');
    [high, low] = [high >>> 5, low >>> 5];
  }
  return word;
}

/** cyrb64 over UTF-16 code units; returns both halves. */
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
