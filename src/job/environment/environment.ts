// The environment that a job runs with: that of the shell it was enqueued from. Decides what is kept of it, when it is
// kept, and which environments are the same. Pure.

import { QueueError } from '../../errors/errors.ts';
import { TRACE_VARIABLES } from './trace-context.ts';

export type Variables = Readonly<Record<string, string>>;

/** An environment on its way into a store. Two are the same exactly when their texts are; the hash finds the text. */
export interface NewEnvironment {
  readonly hash: number;
  /** A JSON object of names and values, sorted by name. */
  readonly text: string;
}

export const INHERITANCE = ['auto', 'on', 'off'] as const;
export type Inheritance = (typeof INHERITANCE)[number];

/** auto: not where others can read the store, because an environment may hold secrets. */
export const isInherited = (setting: Inheritance, isShared: boolean): boolean =>
  setting === 'auto' ? !isShared : setting === 'on';

/** The longest variable that Linux passes to a program, with its name. */
const LONGEST_VARIABLE_BYTES = 131_071;
/** Half of what Linux passes to a program by default: the command needs room too. */
const LARGEST_ENVIRONMENT_BYTES = 1_048_576;

/** These speak of the shell itself. A job has its own working directory, and its shell counts for itself. */
const OF_THE_SHELL = ['PWD', 'OLDPWD', 'SHLVL', '_'];
/** These describe the terminal that the shell runs in. A job has none. */
const OF_THE_TERMINAL = [
  'TERM', 'TERMCAP', 'COLORTERM', 'COLUMNS', 'LINES', 'WINDOWID', 'SSH_TTY', 'GPG_TTY', 'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION', 'TERM_SESSION_ID', 'ITERM_SESSION_ID', 'VTE_VERSION', 'WT_SESSION',
]; // biome-ignore format: a list of words
/** A trace is the job's own: each would make another environment to keep. */
const LEFT_OUT = new Set([...OF_THE_SHELL, ...OF_THE_TERMINAL, ...TRACE_VARIABLES]);

/** What is kept of a shell's environment; one that no program could be given is refused. */
export function environmentOf(shell: Readonly<Record<string, string | undefined>>): NewEnvironment {
  const variables = keptOf(shell);
  const text = JSON.stringify(variables);
  return newEnvironment(isSmallAndPlain(text) ? text : JSON.stringify(checked(variables)));
}

export const newEnvironment = (text: string): NewEnvironment => ({ hash: hashOf(text), text });

export const variablesIn = (text: string): Variables => JSON.parse(text) as Variables;

/** In the order of their names, so that the same variables make the same text. */
function keptOf(shell: Readonly<Record<string, string | undefined>>): Variables {
  const kept: Record<string, string> = Object.create(null); // a variable may be called __proto__
  for (const name of Object.keys(shell).sort()) {
    const value = shell[name];
    if (value !== undefined && name !== '' && !isLeftOut(name)) kept[name] = value;
  }
  return kept;
}

/** The worker sets our own variables again. */
const isLeftOut = (name: string): boolean => name.startsWith('QUEUECTL_') || LEFT_OUT.has(name);

/** What to look into closely, as JSON writes it: NUL, half a character, and U+FFFD. */
const DUBIOUS = ['\\u0000', '\\ud', '\u{FFFD}'];

/** One look at all of it is usually enough. It spares every command a loop over the variables. */
const isSmallAndPlain = (text: string): boolean =>
  text.length < LONGEST_VARIABLE_BYTES / 3 && !DUBIOUS.some((part) => text.includes(part));

function checked(variables: Variables): Variables {
  const entries = Object.entries(variables).filter(([name, value]) => isText(name) && isText(value));
  checkSize(entries);
  return Object.fromEntries(entries);
}

/** Node reads bytes that are not UTF-8 as U+FFFD. The value that the job should get is lost then. */
const isText = (value: string): boolean =>
  !value.includes('\0') && !value.includes('\u{FFFD}') && value.isWellFormed();

function checkSize(entries: readonly [name: string, value: string][]): void {
  let total = 0;
  for (const [name, value] of entries) {
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(value) + 1;
    if (bytes > LONGEST_VARIABLE_BYTES)
      throw tooLarge(`the variable ${printable(name)} is ${bytes} bytes long`, LONGEST_VARIABLE_BYTES);
    total += bytes + 1;
  }
  if (total > LARGEST_ENVIRONMENT_BYTES)
    throw tooLarge(`the environment of this shell is ${total} bytes long`, LARGEST_ENVIRONMENT_BYTES);
}

const tooLarge = (problem: string, most: number): QueueError =>
  new QueueError('environment_too_large', { problem, most });

/** Names may hold anything, even what a terminal would obey. */
const printable = (name: string): string => name.slice(0, 40).replace(/\p{Cc}/gu, '\u{FFFD}');

/**
 * FNV-1a over words of four bytes: enough to find a text by, and no module has to be loaded for it. One lane and a word at
 * a time, because this runs once for each command, in code that is not compiled yet.
 */
function hashOf(text: string): number {
  const words = new Int32Array(Math.ceil(Buffer.byteLength(text) / 4));
  Buffer.from(words.buffer).write(text);
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ (words[i] ?? 0), 0x01000193) ^ (hash >>> 15);
  return hash >>> 0;
}
