// What a command is: one file exports one of these. It returns data; render/ makes text of it.

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
   * Its value may be left out. The next word is its value if it looks like one, but not if it would then be missing as an
   * argument: there is no other, and no option that stands for one.
   */
  readonly optional?: { readonly insteadOfArgument: readonly string[] };
  /** May be given several times. */
  readonly many?: boolean;
  /** Few need it: the help names it under this word, and `--help WORD` explains it. */
  readonly topic?: Topic;
  /** Not shown in the help. */
  readonly hidden?: boolean;
  /** Words a shell can complete to. */
  readonly choices?: readonly string[];
}

/** What the help keeps apart from the options that most people need. */
export type Topic = 'flow' | 'hooks' | 'limits' | 'outcome' | 'environment' | 'confinement' | 'filter';

/** What people come for; the help groups commands by it. */
export type Purpose = 'run' | 'look' | 'repair' | 'set up';

export interface Command {
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
  /** What follows the name, one line for each way to use it. */
  readonly usage: readonly string[];
  readonly options?: Readonly<Record<string, OptionSpec>>;
  /** A command line and what it is for. */
  readonly examples: readonly (readonly [string, string])[];
  /** Paragraphs that the help shows after the options. */
  readonly notes?: readonly string[];
  /** What its arguments are, for completion. */
  readonly completes?:
    | ('job' | 'job or group' | 'filter' | 'group' | 'schedule' | 'setting' | 'worker' | 'queue' | 'file')
    | ('user' | 'token' | 'recipe' | 'secret');
  run(context: Context): Promise<Result>;
}

export interface Recorded {
  /** The words that name what the command changed. They must not hold a secret. */
  readonly about: 'arguments' | 'first argument';
  /** Details besides the options and counts that every command records. */
  readonly detail?: (args: readonly string[]) => Readonly<Record<string, unknown>>;
}

export type OptionValue = string | number | boolean | readonly string[];

export interface Context {
  /** Arguments before `--`. */
  readonly args: readonly string[];
  /** Arguments behind `--`, or null when there was none. */
  readonly exact: readonly string[] | null;
  readonly options: Options;
  readonly terminal: Terminal;
  readonly environment: NodeJS.ProcessEnv;
  /** null: the current folder was removed. */
  readonly cwd: string | null;
  /** Opens the queue when first asked for; it stays open until the process ends. */
  queue(): Promise<AnyQueue>;
  /** The queue with its store. Else not_over_http. */
  localQueue(): Promise<Queue>;
  /** Performs an operation of the HTTP API: through the server, or in this process. */
  readonly call: Call;
  /** Calls back on Ctrl-C, TERM and what is named, with how many there were, instead of dying of them. */
  onInterrupt(
    listener: (count: number, signal: NodeJS.Signals) => void,
    also?: readonly NodeJS.Signals[],
  ): void;
}

/** Typed access to the options that were given. */
export interface Options {
  has(name: string): boolean;
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  all(name: string): readonly string[];
  /** Of the given names, those that were set, as typed values. */
  pick(...names: string[]): Record<string, OptionValue>;
}

export interface Result {
  /** What --json prints; undefined prints nothing (the command has written its output itself). */
  readonly data?: unknown;
  /** The same for people. */
  readonly text?: string;
  readonly exitCode?: number;
}
