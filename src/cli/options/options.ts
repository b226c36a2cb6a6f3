// Parses the words of a command line into arguments and checked options.

import { type QueueError, usageError } from '../../errors/errors.ts';
import { AGE_EXAMPLES, parseAgeMs } from '../../time/age.ts';
import { parseDurationMs } from '../../time/duration.ts';
import { nearest } from '../../text/nearest.ts';
import { shellQuote } from '../../text/shell.ts';
import { optionHint, optionMeant } from '../../text/synonyms/options.ts';
import {
  type Command,
  GLOBAL_OPTIONS,
  type OptionSpec,
  type OptionSpecs,
  type Options,
  type OptionValue,
} from '../command.ts';

/** Returns the options that help and completion offer. */
export function optionsFor({ options, localOnly }: Command): OptionSpecs {
  const { server, ...others } = GLOBAL_OPTIONS;
  return { ...options, ...(localOnly === undefined ? GLOBAL_OPTIONS : others) };
}

export interface ParsedLine {
  readonly args: readonly string[];
  readonly exact: readonly string[] | null;
  readonly options: Options<OptionSpecs>;
}

export function parseLine(command: Command, words: readonly string[]): ParsedLine {
  const specs: OptionSpecs = { ...GLOBAL_OPTIONS, ...command.options };
  const end = words.indexOf('--');
  const own = end < 0 ? [...words] : words.slice(0, end);
  const args: string[] = [];
  const values = new Map<string, OptionValue>();
  for (let word = own.shift(); word !== undefined; word = own.shift()) {
    if (!isOption(word)) args.push(word);
    else
      for (const token of tokensOf(word, specs, own, command.name))
        take(command, specs, values, token, [...args, word, ...own]);
  }
  if (args.length === 0 && end < 0) giveBack(specs, values, args);
  return { args, exact: end < 0 ? null : words.slice(end + 1), options: optionsIn(values) };
}

/** In `--unique 'make x'`, the word is the command and the option has no value. */
function giveBack(specs: OptionSpecs, values: Map<string, OptionValue>, args: string[]): void {
  for (const [name, value] of values) {
    const optional = specs[name]?.optional;
    if (typeof value !== 'string' || !optional || optional.insteadOfArgument.some((other) => values.has(other)))
      continue;
    args.push(value);
    values.set(name, true);
    return;
  }
}

/** '-' is stdin, and '-5' is a number. */
const isOption = (word: string): boolean => /^-[^\d.]/.test(word);

/** Reads --name, --name=value, --name value, -n, -nvalue, -n value and combined flags, -abc; values also from `rest`. */
function tokensOf(word: string, specs: OptionSpecs, rest: string[], command: string): OptionToken[] {
  if (word.startsWith('--')) {
    const at = word.indexOf('=');
    const rawName = at < 0 ? word : word.slice(0, at);
    const name = nameOf(rawName.slice(2), specs, command);
    return [{ name, rawName, value: at < 0 ? nextValue(specs[name], rest) : word.slice(at + 1) }];
  }
  const [letter = '', inline] = [word[1], word.slice(2)];
  const name = Object.keys(specs).find((known) => specs[known]?.short === letter) ?? letter;
  const token = { name, rawName: `-${letter}` };
  if (inline === '') return [{ ...token, value: nextValue(specs[name], rest) }];
  if (takesValue(specs[name])) return [{ ...token, value: inline }];
  return [{ ...token, value: undefined }, ...tokensOf(`-${inline}`, specs, rest, command)];
}

function nameOf(typed: string, specs: OptionSpecs, command: string): string {
  if (Object.hasOwn(specs, typed)) return typed;
  const meant = optionMeant(command, typed);
  return meant !== undefined && Object.hasOwn(specs, meant) ? meant : typed;
}

const takesValue = (spec: OptionSpec | undefined): boolean => spec !== undefined && spec.kind !== 'flag';

function nextValue(spec: OptionSpec | undefined, rest: string[]): string | undefined {
  if (!takesValue(spec) || (spec?.optional && !looksLikeValue(rest[0]))) return undefined;
  return rest.shift();
}

/** Excludes options, JSON and job files. */
const looksLikeValue = (word: string | undefined): boolean =>
  word !== undefined && !isOption(word) && !/^\s*[{[@]|^-$/.test(word);

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
}

function take(
  command: Command,
  specs: OptionSpecs,
  values: Map<string, OptionValue>,
  { name, rawName, value }: OptionToken,
  words: readonly string[],
): void {
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
  if (!spec) throw unknownOption(command, rawName, Object.keys(specs), words);
  if (spec.kind === 'flag') {
    if (value !== undefined) throw usage(`${rawName} takes no value`, command);
    values.set(name, true);
    return;
  }
  if (value === undefined && spec.optional) {
    values.set(name, true);
    return;
  }
  if (value === undefined) throw usage(`${rawName} requires a value: ${rawName} ${spec.value ?? 'VALUE'}`, command);
  const earlier = values.get(name);
  values.set(
    name,
    spec.many ? [...((earlier as string[] | undefined) ?? []), value] : typed(spec, rawName, value, command),
  );
}

function typed(spec: OptionSpec, rawName: string, value: string, command: Command): OptionValue {
  if (spec.kind === 'text') return value;
  if (spec.kind === 'seconds') {
    const ms = parseDurationMs(value);
    if (ms === null) throw usage(`${rawName} must be a duration such as 90s, 5m or 2h, not '${value}'`, command);
    return ms / 1000;
  }
  if (spec.kind === 'age') {
    const ms = parseAgeMs(value, Date.now());
    if (ms === null) throw usage(`${rawName} must be a duration or a date, not '${value}': ${AGE_EXAMPLES}`, command);
    return ms / 1000;
  }
  const isNumber = spec.kind === 'integer' ? /^[+-]?\d+$/.test(value) : /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value);
  if (!isNumber)
    throw usage(`${rawName} must be a ${spec.kind === 'integer' ? 'whole ' : ''}number, not '${value}'`, command);
  return Number(value);
}

function unknownOption(
  { name }: Command,
  rawName: string,
  known: readonly string[],
  words: readonly string[],
): QueueError {
  const typed = rawName.replace(/^-+/, '');
  const near = typed.length > 1 ? nearest(typed, known) : null;
  const hint =
    optionHint(name, typed) ??
    (near ? `did you mean '--${near}'?` : null) ??
    unquotedHint(name, rawName, words) ??
    `list the options: queuectl ${name} --help`;
  return usageError(`unknown option '${rawName}'`, hint);
}

/** In 'enqueue ls -la', the option belongs to the job's command. */
function unquotedHint(name: string, rawName: string, words: readonly string[]): string | null {
  if (!['enqueue', 'run', 'schedule add'].includes(name) || words[0]?.startsWith(rawName)) return null;
  const line = words.join(' ');
  return `quote the command: queuectl ${name} ${shellQuote(line)}, or put -- before it: queuectl ${name} -- ${line}`;
}

export const usage = (problem: string, command: Command): QueueError =>
  usageError(problem, `show the usage: queuectl ${command.name} --help`);

const optionsIn = (values: ReadonlyMap<string, OptionValue>): Options<OptionSpecs> => ({
  has: (name) => values.has(name),
  text: (name) => values.get(name) as string | undefined,
  number: (name) => values.get(name) as number | undefined,
  all: (name) => (values.get(name) as string[] | undefined) ?? [],
  pick: (...names) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = values.get(name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
});
