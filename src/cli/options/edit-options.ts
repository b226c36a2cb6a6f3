// The flags that can still be changed on a job that waits.

import type { OptionSpec } from '../command.ts';
import { CONFINEMENT_OPTIONS } from './isolation-options.ts';
import { FIELD_OPTIONS } from './job-options.ts';
import { LIMIT_OPTIONS } from './limit-options.ts';

const EDITED = [
  'command', 'queue', 'priority', 'max-retries', 'backoff-base', 'backoff-strategy', 'timeout', 'delay', 'run-at', 'cwd',
  'env', 'name', 'tag', 'key', 'key-concurrency', 'weight', 'success-codes', 'no-retry-codes', 'snooze-code', 'warn-signal',
  'on-success', 'on-failure', 'on-dead', ...Object.keys(LIMIT_OPTIONS), ...Object.keys(CONFINEMENT_OPTIONS), 'secret',
]; // biome-ignore format: a list of words

/** Not offered, but understood: the answer says why it cannot be done. */
const NOT_EDITED = [
  'group', 'group-concurrency', 'after', 'after-any-end', 'after-failure', 'on-dependency-failure', 'unique', 'unique-for',
  'if-exists', 'recipe', 'param',
]; // biome-ignore format: a list of words

const fieldOptions = (names: readonly string[], hidden: boolean): Readonly<Record<string, OptionSpec>> =>
  Object.fromEntries(names.map((name) => [name, { ...(FIELD_OPTIONS[name] as OptionSpec), hidden }]));

export const EDIT_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  ...fieldOptions(EDITED, false),
  ...fieldOptions(NOT_EDITED, true),
};
