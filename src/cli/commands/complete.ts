// queuectl __complete -- LINE: what fits at the end of a command line, for the completion scripts. Never an error.

import { homedir } from 'node:os';
import type { Command, Context, Result } from '../command.ts';
import { type Answer, answer } from '../completion/answer.ts';
import { readLine } from '../completion/line.ts';
import { Values } from '../completion/values.ts';

export const command: Command = {
  name: '__complete',
  purpose: 'set up',
  summary: 'answer a completion script',
  usage: ['-- LINE'],
  examples: [["queuectl __complete -- 'queuectl st'", 'words that fit, each with what it means']],
  run,
};

async function run({ args, exact, environment }: Context): Promise<Result> {
  const line = readLine((exact ?? args).join(' '), environment.HOME || homedir());
  const values = new Values(databaseOf(line.before), environment);
  return { text: written(await answer(line, values).catch(() => [])) };
}

/** The queue that the typed line is about. */
function databaseOf(words: readonly string[]): string | undefined {
  const at = words.lastIndexOf('--db');
  if (at >= 0) return words[at + 1];
  return words.findLast((word) => word.startsWith('--db='))?.slice('--db='.length);
}

function written(found: Answer): string {
  if (typeof found === 'string') return `@${found}`;
  return found.map(({ word, means }) => (means ? `${word}\t${means}` : word)).join('\n');
}
