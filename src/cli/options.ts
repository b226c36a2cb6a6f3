// From words on the command line to checked, typed options.

import { parseArgs } from 'node:util';
import { QueueError } from '../errors.ts';
import { parseDurationMs } from '../job/duration.ts';
import { nearest } from '../job/nearest.ts';
import type { Command, OptionSpec, Options, OptionValue } from './command.ts';

export const GLOBAL_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  db: { kind: 'text', value: 'FILE', means: 'the queue to use (also QUEUECTL_DB)' },
  json: { kind: 'flag', means: 'print one JSON document (also QUEUECTL_OUTPUT=json)' },
  help: { kind: 'flag', short: 'h', means: 'show this help' },
};

export interface ParsedLine {
  readonly args: readonly string[];
  readonly exact: readonly string[] | null;
  readonly options: Options;
}

export function parseLine(command: Command, words: readonly string[]): ParsedLine {
  const specs = { ...GLOBAL_OPTIONS, ...command.options };
  const { tokens } = parseArgs({
    args: words.map(shieldNumber),
    options: Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, nodeOption(spec)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const args: string[] = [];
  const values = new Map<string, OptionValue>();
  let exact: string[] | null = null;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') exact = [];
    else if (token.kind === 'positional') (exact ?? args).push(unshield(token.value));
    else take(command, specs, values, { ...token, value: token.value && unshield(token.value) });
  }
  return { args, exact, options: new GivenOptions(values) };
}

/** '-5' is a number, not five options; no argument can hold a NUL of its own. */
const shieldNumber = (word: string): string => (/^-\.?\d/.test(word) ? `\0${word}` : word);
const unshield = (word: string): string => word.replace(/^\0/, '');

const nodeOption = (spec: OptionSpec) => ({
  type: spec.kind === 'flag' ? ('boolean' as const) : ('string' as const),
  ...(spec.short ? { short: spec.short } : {}),
});

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
}

function take(
  command: Command,
  specs: Readonly<Record<string, OptionSpec>>,
  values: Map<string, OptionValue>,
  { name, rawName, value }: OptionToken,
): void {
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
  if (!spec) throw unknownOption(command, rawName, Object.keys(specs));
  if (spec.kind === 'flag') {
    if (value !== undefined) throw usage(`${rawName} takes no value`, command);
    values.set(name, true);
    return;
  }
  if (value === undefined)
    throw usage(`${rawName} needs a value: ${rawName} ${spec.value ?? 'VALUE'}`, command);
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
    if (ms === null)
      throw usage(`${rawName} needs a duration such as 90s, 5m or 2h, not '${value}'`, command);
    return ms / 1000;
  }
  const isNumber =
    spec.kind === 'integer' ? /^[+-]?\d+$/.test(value) : /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value);
  if (!isNumber)
    throw usage(
      `${rawName} needs a ${spec.kind === 'integer' ? 'whole ' : ''}number, not '${value}'`,
      command,
    );
  return Number(value);
}

function unknownOption(command: Command, rawName: string, known: readonly string[]): QueueError {
  const near = nearest(rawName.replace(/^-+/, ''), known);
  return new QueueError('usage', {
    problem: `unknown option '${rawName}'`,
    hint: near ? `did you mean '--${near}'?` : `queuectl ${command.name} --help lists its options`,
  });
}

export const usage = (problem: string, command: Command): QueueError =>
  new QueueError('usage', { problem, hint: `queuectl ${command.name} --help shows how` });

class GivenOptions implements Options {
  private readonly values: ReadonlyMap<string, OptionValue>;

  constructor(values: ReadonlyMap<string, OptionValue>) {
    this.values = values;
  }

  has = (name: string): boolean => this.values.has(name);
  text = (name: string): string | undefined => this.values.get(name) as string | undefined;
  number = (name: string): number | undefined => this.values.get(name) as number | undefined;
  all = (name: string): readonly string[] => (this.values.get(name) as string[] | undefined) ?? [];

  pick(...names: string[]): Record<string, OptionValue> {
    const found: Record<string, OptionValue> = {};
    for (const name of names) {
      const value = this.values.get(name);
      if (value !== undefined) found[name] = value;
    }
    return found;
  }
}
