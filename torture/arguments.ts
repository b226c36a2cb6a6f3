// Command-line arguments of the torture run.

import { parseArgs } from 'node:util';
import type { Deeds } from './users.ts';

export const USAGE = 'npm run torture -- [--minutes M] [--seed S] [--db embedded | postgres://...] [--deeds plain]';

export interface Arguments {
  readonly seconds: number;
  readonly seed: number;
  readonly db: string | undefined;
  readonly deeds: Deeds;
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  minutes: { type: 'string', default: '2' },
  seed: { type: 'string' },
  db: { type: 'string' },
  deeds: { type: 'string', default: 'all' },
} as const;

/** Returns null if help was requested. Throws an error with a sentence for invalid arguments. */
export function argumentsFrom(words: readonly string[]): Arguments | null {
  const { values } = parseArgs({ args: [...words], options: OPTIONS });
  if (values.help) return null;
  const { db, deeds } = values;
  if (deeds !== 'all' && deeds !== 'plain') throw new Error(`--deeds is all or plain, not '${deeds}'`);
  const seconds = numberFrom('minutes', values.minutes) * 60;
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : numberFrom('seed', values.seed);
  return { seconds, seed, db, deeds };
}

function numberFrom(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0)) throw new Error(`--${name} needs a number, not '${text}'`);
  return number;
}
