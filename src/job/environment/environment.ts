// The environment variables that a job inherits from the shell that enqueued it: which are kept, when they are kept,
// and when two environments are equal. Pure.

import { QueueError } from '../../errors/errors.ts';
import { TRACE_VARIABLES } from './trace-context.ts';

export type Variables = Readonly<Record<string, string>>;

/** An environment to store. Two environments are equal if their texts are equal; the hash only speeds up the lookup. */
export interface NewEnvironment {
  readonly hash: number;
  /** JSON object of names and values, sorted by name. */
  readonly text: string;
}

export const INHERITANCE = ['auto', 'on', 'off'] as const;
export type Inheritance = (typeof INHERITANCE)[number];

/** `auto` inherits nothing if other users can read the store, because an environment may contain secrets. */
export const isInherited = (setting: Inheritance, isShared: boolean): boolean =>
  setting === 'auto' ? !isShared : setting === 'on';

/** Longest variable that Linux passes to a program, name included. */
const LONGEST_VARIABLE_BYTES = 131_071;
/** Half of what Linux passes to a program by default; the command needs room too. */
const LARGEST_ENVIRONMENT_BYTES = 1_048_576;

/** Variables about the shell itself. A job has its own working directory and shell level. */
const OF_THE_SHELL = ['PWD', 'OLDPWD', 'SHLVL', '_'];
/** Variables about the shell's terminal. A job has no terminal. */
const OF_THE_TERMINAL = [
  'TERM', 'TERMCAP', 'COLORTERM', 'COLUMNS', 'LINES', 'WINDOWID', 'SSH_TTY', 'GPG_TTY', 'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION', 'TERM_SESSION_ID', 'ITERM_SESSION_ID', 'VTE_VERSION', 'WT_SESSION',
]; // biome-ignore format: a list of words
/** Trace variables differ for each job, so keeping them would store a new environment for every job. */
const LEFT_OUT = new Set([...OF_THE_SHELL, ...OF_THE_TERMINAL, ...TRACE_VARIABLES]);

/** Returns the variables to keep from a shell's environment. Throws if no program could receive them. */
export function environmentOf(shell: Readonly<Record<string, string | undefined>>): NewEnvironment {
  const variables = keptOf(shell);
  const text = JSON.stringify(variables);
  return newEnvironment(isSmallAndPlain(text) ? text : JSON.stringify(checked(variables)));
}

export const newEnvironment = (text: string): NewEnvironment => ({ hash: hashOf(text), text });

export const variablesIn = (text: string): Variables => JSON.parse(text) as Variables;

/** Sorts variables by name, so that equal environments have equal texts. */
function keptOf(shell: Readonly<Record<string, string | undefined>>): Variables {
  const kept: Record<string, string> = Object.create(null); // a variable may be named __proto__
  for (const name of Object.keys(shell).sort()) {
    const value = shell[name];
    if (value !== undefined && name !== '' && !isLeftOut(name)) kept[name] = value;
  }
  return kept;
}

/** QUEUECTL_* variables are left out because the worker sets them. */
const isLeftOut = (name: string): boolean => name.startsWith('QUEUECTL_') || LEFT_OUT.has(name);

/** JSON spellings that need a closer look: NUL, a lone surrogate, and U+FFFD. */
const DUBIOUS = ['\\u0000', '\\ud', '\u{FFFD}'];

/** One scan of the whole text usually suffices, which saves every command a loop over the variables. */
const isSmallAndPlain = (text: string): boolean =>
  text.length < LONGEST_VARIABLE_BYTES / 3 && !DUBIOUS.some((part) => text.includes(part));

function checked(variables: Variables): Variables {
  const entries = Object.entries(variables).filter(([name, value]) => isText(name) && isText(value));
  checkSize(entries);
  return Object.fromEntries(entries);
}

/** Node decodes invalid UTF-8 as U+FFFD, so the original value is lost. */
const isText = (value: string): boolean => !value.includes('\0') && !value.includes('\u{FFFD}') && value.isWellFormed();

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

/** Names may contain control characters that a terminal would interpret. */
const printable = (name: string): string => name.slice(0, 40).replace(/\p{Cc}/gu, '\u{FFFD}');

/**
 * FNV-1a over four-byte words: good enough for a lookup, and needs no module. One lane, one word at a time, because it
 * runs once per command, before V8 has compiled it.
 */
function hashOf(text: string): number {
  const words = new Int32Array(Math.ceil(Buffer.byteLength(text) / 4));
  Buffer.from(words.buffer).write(text);
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ (words[i] ?? 0), 0x01000193) ^ (hash >>> 15);
  return hash >>> 0;
}
