// Completes the names of commands.

import type { Command } from '../command.ts';
import { ALIASES, allCommands, COMMANDS } from '../registry.ts';
import type { Candidate } from './values.ts';

export interface Located {
  /** Null if the name is incomplete. */
  readonly command: Command | null;
  /** The words after the name. */
  readonly args: readonly string[];
}

export async function commandAt(before: readonly string[]): Promise<Located> {
  const words = fromName(before);
  for (const length of [1, 2]) {
    const name = resolved(words.slice(0, length));
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (load) return { command: (await load()).command, args: words.slice(length) };
  }
  return { command: null, args: [] };
}

/** Completes the first word, or the verbs of a group. */
export async function namesAt(before: readonly string[]): Promise<Candidate[]> {
  const [group, ...more] = fromName(before);
  if (more.length > 0) return [];
  const commands = await allCommands();
  return group === undefined ? firstWords(commands) : verbsOf(group, commands);
}

function firstWords(commands: readonly Command[]): Candidate[] {
  const words = new Map<string, string>();
  for (const { name, summary } of commands) {
    const [first = '', verb] = name.split(' ');
    words.set(
      first,
      verb
        ? verbsOf(first, commands)
            .map(({ word }) => word)
            .join(', ')
        : summary,
    );
  }
  for (const [alias, name] of Object.entries(ALIASES)) words.set(alias, `alias of ${name}`);
  return [...words].map(([word, help]) => ({ word, help }));
}

const verbsOf = (group: string, commands: readonly Command[]): Candidate[] =>
  commands
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name, summary }) => ({ word: name.slice(group.length + 1), help: summary }));

/** Skips global options before the name, and `help`. */
function fromName(before: readonly string[]): readonly string[] {
  let at = 0;
  while (before[at]?.startsWith('-')) at += before[at] === '--db' || before[at] === '--server' ? 2 : 1;
  return before.slice(before[at] === 'help' ? at + 1 : at);
}

function resolved([first = '', ...rest]: readonly string[]): string {
  return [Object.hasOwn(ALIASES, first) ? ALIASES[first] : first, ...rest].join(' ');
}
