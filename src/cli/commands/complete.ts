// queuectl __complete -- LINE: prints completions for the end of a command line, for the completion scripts. Never
// fails.

import { homedir } from 'node:os';
import type { Command } from '../command.ts';
import { type Answer, answer } from '../completion/answer.ts';
import { type Line, readLine } from '../completion/line.ts';
import { Values, type Whereabouts } from '../completion/values.ts';
import { serverFrom } from '../options/server-option.ts';

export const command: Command = {
  name: '__complete',
  purpose: 'set up',
  summary: 'print completions for a shell script',
  usage: ['-- LINE'],
  examples: [["queuectl __complete -- 'queuectl st'", 'print matching words, each with its help text']],
  run: async ({ args, exact, environment }) => {
    const line = readLine((exact ?? args).join(' '), environment.HOME || homedir());
    return { text: written(await answerTo(line, environment).catch(() => [])) };
  },
};

const answerTo = async (line: Line, environment: NodeJS.ProcessEnv): Promise<Answer> =>
  answer(line, new Values(whereabouts(line.before, environment), environment));

/** Finds the queue that the typed line uses. */
function whereabouts(words: readonly string[], environment: NodeJS.ProcessEnv): Whereabouts {
  const said = { text: (name: string) => optionIn(words, name) };
  return { db: said.text('db'), server: serverFrom(said, environment) };
}

function optionIn(words: readonly string[], name: string): string | undefined {
  const at = words.lastIndexOf(`--${name}`);
  if (at >= 0) return words[at + 1];
  return words.findLast((word) => word.startsWith(`--${name}=`))?.slice(`--${name}=`.length);
}

function written(found: Answer): string {
  if (typeof found === 'string') return `@${found}`;
  return found.map(({ word, help }) => (help ? `${word}\t${help}` : word)).join('\n');
}
