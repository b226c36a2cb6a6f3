// Command-line arguments of the torture run.

import { parseArgs } from 'node:util';
import type { ActionKind } from './users.ts';

export const USAGE = 'npm run torture -- [--minutes M] [--seed S] [--db embedded | postgres://...] [--actions plain]';

export interface Arguments {
  readonly seconds: number;
  readonly seed: number;
  readonly db: string | undefined;
  readonly actions: ActionKind;
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  minutes: { type: 'string', default: '2' },
  seed: { type: 'string' },
  db: { type: 'string' },
  actions: { type: 'string', default: 'all' },
} as const;

/** Returns null if help was requested. Throws an error with a sentence for invalid arguments. */
export function argumentsFrom(words: readonly string[]): Arguments | null {
  const { values } = parseArgs({ args: [...words], options: OPTIONS });
  if (values.help) return null;
  const { db, actions } = values;
  if (actions !== 'all' && actions !== 'plain') throw new Error(`--actions is all or plain, not '${actions}'`);
  const seconds = numberFrom('minutes', values.minutes) * 60;
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : numberFrom('seed', values.seed);
  return { seconds, seed, db, actions };
}

function numberFrom(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0)) throw new Error(`--${name} needs a number, not '${text}'`);
  return number;
}
