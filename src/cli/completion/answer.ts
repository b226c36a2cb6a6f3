// Finds completions from the registry: commands, verbs, options, values or arguments. The completion scripts contain
// none of this, so they never become outdated.

import { FILTER_FIELD_NAMES, FILTER_FIELDS, type FilterField, isFilterField } from '../../filter/fields.ts';
import { INHERITANCE } from '../../job/environment/environment.ts';
import { STRATEGIES } from '../../job/job.ts';
import { SETTING_KEYS, SETTINGS } from '../../settings/settings.ts';
import { type Command, GLOBAL_OPTIONS, type OptionSpec, type OptionSpecs } from '../command.ts';
import { optionsFor } from '../options/options.ts';
import type { Line } from './line.ts';
import { commandAt, namesAt } from './names.ts';
import { SHELLS } from './scripts.ts';
import type { Candidate, Values } from './values.ts';

/** Completions, or a kind of path that the shell completes itself. */
export type Answer = readonly Candidate[] | 'files' | 'folders';

export async function answer(line: Line, values: Values): Promise<Answer> {
  const found = await fitting(line, values);
  return typeof found === 'string' ? found : found.filter(({ word }) => word.startsWith(line.current));
}

async function fitting({ before, current }: Line, values: Values): Promise<Answer> {
  const { command, args } = await commandAt(before);
  const specs = command ? optionsFor(command) : GLOBAL_OPTIONS;
  if (command && args.includes('--')) return 'files';
  const pending = optionNamed(specs, before.at(-1) ?? '');
  if (pending && pending.spec.kind !== 'flag') return optionValues(pending, values, current);
  const [, flag = '', given] = /^(--[^=]+)(=)/.exec(current) ?? [];
  if (given) return prefixed(`${flag}=`, await valuesBehind(specs, flag, values, current.slice(flag.length + 1)));
  if (current.startsWith('-')) return command ? flags(specs, args) : topFlags();
  return command ? argumentsOf(command, args, current, values) : namesAt(before);
}

interface Named {
  readonly name: string;
  readonly spec: OptionSpec;
}

function optionNamed(specs: OptionSpecs, word: string): Named | undefined {
  const found = Object.entries(specs).find(
    ([name, { short }]) => word === `--${name}` || (short && word === `-${short}`),
  );
  return found && { name: found[0], spec: found[1] };
}

async function valuesBehind(specs: OptionSpecs, flag: string, values: Values, current: string): Promise<Answer> {
  const option = optionNamed(specs, flag);
  return option ? optionValues(option, values, current) : [];
}

async function optionValues({ name, spec }: Named, values: Values, current: string): Promise<Answer> {
  if (spec.choices) return spec.choices.map((word) => ({ word }));
  if (spec.value === 'FILE' || spec.value === 'TARGET') return 'files';
  if (spec.value === 'FOLDER' || spec.value === 'DIR') return 'folders';
  if (name === 'tz') return Intl.supportedValuesOf('timeZone').map((word) => ({ word }));
  if (name === 'filter') return filterWords(current, values);
  if (DEPENDENCIES.includes(name)) return values.parents(current);
  return isListed(name) ? values.list(name) : [];
}

const DEPENDENCIES = ['after', 'after-any-end', 'after-failure'];

/** Options and filter fields whose values come from the queue. */
const LISTED = ['queue', 'group', 'name', 'key', 'schedule', 'recipe', 'secret', 'host'] as const;

const isListed = (name: string): name is (typeof LISTED)[number] => (LISTED as readonly string[]).includes(name);

const prefixed = (prefix: string, found: Answer): Answer =>
  typeof found === 'string' ? found : found.map(({ word, ...rest }) => ({ word: prefix + word, ...rest }));

/** Options that are not given yet, or are repeatable. */
function flags(specs: OptionSpecs, args: readonly string[]): Candidate[] {
  return Object.entries(specs)
    .filter(([name, spec]) => !spec.hidden && (spec.many || !args.includes(`--${name}`)))
    .map(([name, { help }]) => ({ word: `--${name}`, help }));
}

const topFlags = (): Candidate[] => [
  ...Object.entries(GLOBAL_OPTIONS).map(([name, { help }]) => ({ word: `--${name}`, help })),
  { word: '--version', help: 'print the version' },
];

async function argumentsOf(
  command: Command,
  args: readonly string[],
  current: string,
  values: Values,
): Promise<Answer> {
  if (command.name === 'completions') return args.length === 0 ? SHELLS.map((word) => ({ word })) : [];
  switch (command.completes) {
    case undefined:
      return [];
    case 'job':
      return without(args, await values.jobs(current, command.name));
    case 'job or group':
      return without(args, await values.jobsAndGroups(current, command.name));
    case 'filter':
      return filterWords(current, values);
    case 'setting':
      return settingWords(args);
    case 'file':
      return 'files';
    default:
      return without(args, await values.list(command.completes));
  }
}

/** Completes the fields of the filter language, and after `name:` the values. */
async function filterWords(current: string, values: Values): Promise<Candidate[]> {
  const [, name = '', earlier = ''] = /^([a-z]+):(.*,)?/.exec(current) ?? [];
  if (!isFilterField(name))
    return FILTER_FIELD_NAMES.map((field) => ({ word: `${field}:`, help: FILTER_FIELDS[field].help }));
  const { choices }: FilterField = FILTER_FIELDS[name];
  const found = choices?.map((word) => ({ word })) ?? (isListed(name) ? await values.list(name) : []);
  return found.map(({ word }) => ({ word: `${name}:${earlier}${word}` }));
}

const without = (args: readonly string[], found: readonly Candidate[]): Candidate[] =>
  found.filter(({ word }) => !args.includes(word));

/** Values of settings with a fixed set of words. */
const SETTING_WORDS = new Map<string, readonly string[]>([
  ['backoff_strategy', STRATEGIES],
  ['direct_start', ['on', 'off']],
  ['inherit_environment', INHERITANCE],
]);

function settingWords(args: readonly string[]): Candidate[] {
  const [key] = args.filter((word) => !word.startsWith('-'));
  if (key === undefined) return SETTING_KEYS.map((word) => ({ word, help: SETTINGS[word].help }));
  return (SETTING_WORDS.get(key.replaceAll('-', '_')) ?? []).map((word) => ({ word }));
}
