// Finds the command of a command line by its name, an alias or a synonym. An unknown name is an error that suggests the
// nearest one.

import { type QueueError, usageError } from '../errors/errors.ts';
import { STATES } from '../job/job.ts';
import { own } from './own.ts';
import { nearest } from '../text/nearest.ts';
import { shellQuote } from '../text/shell.ts';
import { insteadOf, synonymFor, VERBS } from '../text/synonyms/commands.ts';
import { optionMeant } from '../text/synonyms/options.ts';
import { GLOBAL_OPTIONS, type OptionSpec } from './command.ts';
import { ALIASES, COMMANDS, HIDDEN, type Loader } from './registry.ts';

export interface NamedLine {
  /** The name of a command, or the unknown word that was typed instead; '' if there was none. */
  readonly name: string;
  /** All other words in their order. */
  readonly rest: readonly string[];
  /** Absent if no command has the name. */
  readonly load?: Loader | undefined;
}

/** Separates the name from the other words. Options may come before it. */
export function namedLine(argv: readonly string[]): NamedLine {
  const rest = [...argv];
  let at = 0;
  for (; rest[at]?.startsWith('-'); at++) if (takesNextWord(rest[at])) at++;
  if (isAboutJobs(rest[at], rest[at + 1])) rest.splice(at, 1);
  const [first, second] = rest.slice(at, at + 2);
  if (first === undefined) return { name: '', rest };
  const isPair = verbsOf(first).length > 0 && second !== undefined && !second.startsWith('-');
  const [name, ...flags] = meaningOf(isPair ? `${first} ${second}` : first);
  rest.splice(at, isPair ? 2 : 1, ...flags);
  const load = own(COMMANDS, name) ?? own(HIDDEN, name);
  return { name, rest, load };
}

/** A global option whose value is the next word. */
function takesNextWord(word = ''): boolean {
  const name = word.slice(2);
  const spec: OptionSpec | undefined = own(
    GLOBAL_OPTIONS,
    own(GLOBAL_OPTIONS, name) ? name : (optionMeant('', name) ?? name),
  );
  return spec !== undefined && spec.kind !== 'flag';
}

/** Accepts 'job show ID', because other tools group commands under jobs. A filter such as state:dead is not a verb. */
const isAboutJobs = (first: string | undefined, second = ''): boolean =>
  (first === 'job' || first === 'jobs') && /^[a-z][a-z-]*$/i.test(second);

function meaningOf(typed: string): readonly [string, ...string[]] {
  if (Object.hasOwn(COMMANDS, typed)) return [typed];
  const [group, verb = ''] = typed.split(' ');
  const usual = `${group} ${own(VERBS, verb)}`;
  return synonymFor(typed) ?? (Object.hasOwn(COMMANDS, usual) ? [usual] : [own(ALIASES, typed) ?? typed]);
}

/** Returns the verbs of a group such as 'worker', or none for a command of one word. */
export const verbsOf = (group: string): string[] =>
  Object.keys(COMMANDS)
    .filter((name) => name.startsWith(`${group} `))
    .map((name) => name.slice(group.length + 1));

/** `otherwise` is the hint if nothing similar exists. */
export function unknownCommand(name: string, otherwise = knownNames(name)): QueueError {
  const hint = insteadOf(name) ?? stateHint(name) ?? commandHint(name) ?? nearestName(name) ?? otherwise;
  return usageError(`unknown command '${name}'`, hint);
}

const stateHint = (name: string): string | null =>
  (STATES as readonly string[]).includes(name) ? `queuectl list --state ${name}` : null;

/** Returns a hint for shell commands such as 'echo hi', but none for a group with an unknown verb. */
function commandHint(name: string): string | null {
  if (!/\s/.test(name) || verbsOf(name.split(' ')[0] ?? '').length > 0) return null;
  const quoted = shellQuote(name);
  return `run the command now: queuectl run ${quoted}; or enqueue it: queuectl enqueue ${quoted}`;
}

/** Within a group, compares only the verbs: with the name of the group, all of them would look near. */
function nearestName(name: string): string | null {
  const [group = '', verb] = name.split(' ');
  const near =
    verb === undefined
      ? nearest(name, [...Object.keys(COMMANDS), ...groups(), ...Object.keys(ALIASES)])
      : nearest(verb, verbsOf(group));
  if (near === null) return null;
  return `did you mean 'queuectl ${verb === undefined ? near : `${group} ${near}`}'?`;
}

/** Returns 'worker' for 'worker start'. */
const groups = (): string[] => Object.keys(COMMANDS).flatMap((name) => name.split(' ').slice(0, -1));

function knownNames(name: string): string {
  const [group = ''] = name.split(' ');
  const members = verbsOf(group).map((verb) => `${group} ${verb}`);
  return members.length > 0 ? `use one of: ${members.join(', ')}` : 'list the commands: queuectl --help';
}
