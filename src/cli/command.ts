// The types of commands and their options. Each file in commands/ exports one command, which returns data; render/
// turns it into text.

import type { AnyQueue } from '../queue/interface.ts';
import type { Queue } from '../queue/queue.ts';
import type { Call } from './call.ts';
import type { Terminal } from './terminal.ts';

export type OptionKind = 'flag' | 'text' | 'integer' | 'number' | 'seconds' | 'age';

export interface OptionSpec {
  readonly kind: OptionKind;
  readonly short?: string;
  /** The placeholder for the value in the help: N, FILE, DURATION. */
  readonly value?: string;
  readonly help: string;
  /**
   * The value may be left out. The next word is the value if it looks like one, unless the command would then lack an
   * argument and none of these options stands for it.
   */
  readonly optional?: { readonly insteadOfArgument: readonly string[] };
  /** Whether the option may be given several times. */
  readonly many?: boolean;
  /** The help lists the option by name only, under this topic; `--help TOPIC` explains it. */
  readonly topic?: Topic;
  /** Not shown in the help. */
  readonly hidden?: boolean;
  /** Words for shell completion. */
  readonly choices?: readonly string[];
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The same options, each with these properties. */
export const eachOption = <Specs extends OptionSpecs, const Part extends Partial<OptionSpec>>(
  specs: Specs,
  part: Part,
) =>
  Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, ...part }])) as {
    readonly [N in keyof Specs]: Omit<Specs[N], keyof Part> & Part;
  };

export const without = <Specs extends OptionSpecs, Name extends keyof Specs>(specs: Specs, ...names: readonly Name[]) =>
  Object.fromEntries(
    Object.entries(specs).filter(([name]) => !names.includes(name as Name & string)),
  ) as unknown as Omit<Specs, Name>;

export const GLOBAL_OPTIONS = {
  db: { kind: 'text', value: 'TARGET', help: 'database: a file or postgres://host/db (also QUEUECTL_DB)' },
  server: {
    kind: 'text',
    value: 'URL',
    help: 'use a remote queuectl serve over HTTP (also QUEUECTL_SERVER)',
  },
  json: { kind: 'flag', help: 'print JSON (also QUEUECTL_OUTPUT=json)' },
  help: { kind: 'flag', short: 'h', help: 'show this help' },
} satisfies OptionSpecs;

/** A group of options that the help lists by name only; `--help TOPIC` explains them. */
export type Topic = 'workflow' | 'hooks' | 'limits' | 'outcome' | 'environment' | 'isolation' | 'filter';

/** The section of the help that lists the command. */
export type Purpose = 'run' | 'look' | 'repair' | 'set up';

/** A command with these options; without type argument, any command. */
export type Command<Specs extends OptionSpecs = OptionSpecs> = CommandWith<Specs, Context<Specs>>;

interface CommandWith<Specs, ItsContext> {
  /** One or two words, as typed: 'enqueue', 'worker start'. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly purpose: Purpose;
  /** Whether the command creates the queue if it does not exist. All others leave a mistyped --db without a trace. */
  readonly createsQueue?: true;
  /** Why the command does not work with --server, and an alternative: its help then leaves out --server. */
  readonly localOnly?: string;
  /** How the command is recorded as activity. Default: not at all. A server records the routes that it performs. */
  readonly recorded?: Recorded;
  readonly summary: string;
  /** Arguments and options after the name: one line for each way to use the command. */
  readonly usage: readonly string[];
  readonly options?: Specs;
  /** Pairs of a command line and its description. */
  readonly examples: readonly (readonly [string, string])[];
  /** Paragraphs that the help shows after the options. */
  readonly notes?: readonly string[];
  /** The kind of its arguments, for shell completion. */
  readonly completes?:
    | ('job' | 'job or group' | 'filter' | 'group' | 'schedule' | 'setting' | 'worker' | 'queue' | 'file')
    | ('user' | 'token' | 'recipe' | 'secret');
  run(context: ItsContext): Promise<Result>;
}

export interface Recorded {
  /** The words that name what the command changed. They must not contain a secret. */
  readonly about: 'arguments' | 'first argument';
  /** Details in addition to the options and counts that every command records. */
  readonly detail?: (args: readonly string[]) => Readonly<Record<string, unknown>>;
}

export type OptionValue = string | number | boolean | readonly string[];

/** What a command with these options runs with. The context of every command is a `Context` without type argument. */
export type Context<Specs extends OptionSpecs = NoOptions> = ContextWith<Options<Specs & typeof GLOBAL_OPTIONS>>;

interface ContextWith<Given> {
  /** Arguments before `--`. */
  readonly args: readonly string[];
  /** Arguments after `--`, or null if there is no `--`. */
  readonly exact: readonly string[] | null;
  readonly options: Given;
  readonly terminal: Terminal;
  readonly environment: NodeJS.ProcessEnv;
  /** Null if the current directory was deleted. */
  readonly cwd: string | null;
  /** Opens the queue at the first call. It stays open until the process exits. */
  queue(): Promise<AnyQueue>;
  /** Returns the queue with its store, or throws not_over_http. */
  localQueue(): Promise<Queue>;
  /** Performs an operation of the HTTP API, through the server or in this process. */
  readonly call: Call;
  /** Calls the listener on Ctrl-C, TERM and the given signals with their count, instead of terminating. */
  onInterrupt(listener: (count: number, signal: NodeJS.Signals) => void, also?: readonly NodeJS.Signals[]): void;
}

// biome-ignore lint/complexity/noBannedTypes: the options of a command that has none
type NoOptions = {};

/** The names of the options that have these properties; of OptionSpecs, where that is not known, every name. */
type NamesOf<Specs, Part> = {
  [N in keyof Specs]: Specs[N] extends Part ? N : OptionSpec extends Specs[N] ? N : never;
}[keyof Specs];

/** The options that were given, by the names and kinds that the command declares. */
export type Options<Specs extends OptionSpecs = NoOptions> = GivenOptions<
  keyof Specs,
  NamesOf<Specs, { kind: 'text'; many?: false; optional?: never }>,
  NamesOf<Specs, { kind: 'integer' | 'number' | 'seconds' | 'age' }>,
  NamesOf<Specs, { many: true }>
>;

/** Properties instead of methods, so that a function accepts only options that include those it needs. */
interface GivenOptions<Name, Text, Numeric, Many> {
  readonly has: (name: Name) => boolean;
  readonly text: (name: Text) => string | undefined;
  readonly number: (name: Numeric) => number | undefined;
  readonly all: (name: Many) => readonly string[];
  /** Of the given names, those that were set, with their values. For names that come from a table. */
  readonly pick: (...names: readonly string[]) => Readonly<Record<string, OptionValue>>;
}

export interface Result {
  /** The data that --json prints; undefined if the command has already written its output. */
  readonly data?: unknown;
  /** The text that is printed without --json. */
  readonly text?: string;
  readonly exitCode?: number;
}
