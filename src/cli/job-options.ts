// The flags that say something of a job, shared by enqueue and run; each overrides a field of the job.

import { QueueError } from '../errors.ts';
import { STRATEGIES } from '../job/job.ts';
import type { JobInput } from '../queue.ts';
import type { Context, OptionSpec } from './command.ts';

const FIELD_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  id: { kind: 'text', value: 'ID', means: 'its id (default: made up)' },
  queue: { kind: 'text', value: 'NAME', means: 'named queue (default: default)' },
  priority: { kind: 'integer', short: 'p', value: 'N', means: 'higher runs first (default: 0)' },
  command: {
    kind: 'text',
    short: 'c',
    aliases: ['cmd'],
    value: 'COMMAND',
    means: 'the command itself, for the shell',
    hidden: true,
  },
  'max-retries': {
    kind: 'integer',
    short: 'r',
    aliases: ['retries'],
    value: 'N',
    means: 'retries after the first attempt',
  },
  'backoff-base': { kind: 'number', value: 'SECONDS', means: 'base of the delay before a retry' },
  'backoff-strategy': { kind: 'text', value: 'NAME', means: STRATEGIES.join(', '), choices: STRATEGIES },
  timeout: { kind: 'seconds', value: 'DURATION', means: 'end an attempt that takes longer: 90s, 5m' },
  delay: { kind: 'seconds', value: 'DURATION', means: 'start not before this much time has passed' },
  'run-at': { kind: 'text', value: 'TIME', means: "start not before: 'tomorrow 9:00', +5m, ISO 8601" },
  cwd: { kind: 'text', value: 'DIR', means: 'working directory (default: this one)' },
  env: {
    kind: 'text',
    short: 'e',
    value: 'K=V',
    many: true,
    means: 'set a variable; K alone copies it (repeatable)',
  },
  'split-output': { kind: 'flag', means: 'keep stdout and stderr apart (their order is lost)' },
};

export const JOB_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  ...FIELD_OPTIONS,
  'inherit-env': { kind: 'flag', means: "run with this shell's environment (default on SQLite)" },
  'no-inherit-env': { kind: 'flag', means: "run with its worker's (default on PostgreSQL)" },
};

/** Whether the job inherits the environment of this shell; undefined: as the setting says. */
export function inheritsByFlags({ options }: Context): boolean | undefined {
  const [wants, refuses] = [options.has('inherit-env'), options.has('no-inherit-env')];
  if (wants && refuses)
    throw new QueueError('usage', {
      problem: '--inherit-env and --no-inherit-env contradict each other',
      hint: 'give one of them',
    });
  return wants || refuses ? wants : undefined;
}

/** The fields that the flags given override. */
export function saidByFlags({ options, environment }: Context): JobInput {
  const { env, ...fields } = options.pick(...Object.keys(FIELD_OPTIONS));
  const said = Object.fromEntries(
    Object.entries(fields).map(([flag, value]) => [flag.replaceAll('-', '_'), value]),
  );
  return env === undefined ? said : { ...said, env: variables(env as readonly string[], environment) };
}

function variables(given: readonly string[], environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    given.map((entry) => {
      const at = entry.indexOf('=');
      if (at >= 0) return [entry.slice(0, at), entry.slice(at + 1)];
      const value = environment[entry];
      if (value !== undefined) return [entry, value];
      throw new QueueError('usage', {
        problem: `-e ${entry} copies a variable that is not set here`,
        hint: `give it a value: -e ${entry}=VALUE`,
      });
    }),
  );
}

/** A command from the arguments: one shell string, or an exact list behind `--`. */
export function commandFrom({ args, exact, options }: Context, name: string): { command: unknown } {
  const flag = options.text('command');
  if (flag !== undefined && args.length === 0 && exact === null) return { command: flag };
  if (flag !== undefined) throw commandTwice(name);
  if (exact !== null && args.length === 0) {
    if (exact.length === 0) throw new QueueError('command_required');
    return { command: [...exact] };
  }
  if (exact !== null || args.length > 1) throw severalWords([...args, ...(exact ?? [])], name);
  if (args[0] === undefined) throw new QueueError('command_required');
  return { command: args[0] };
}

const commandTwice = (name: string): QueueError =>
  new QueueError('usage', {
    problem: 'a command twice, as an option and as an argument',
    hint: `queuectl ${name} 'COMMAND' is enough`,
  });

function severalWords(words: readonly string[], name: string): QueueError {
  const shown = words.join(' ').slice(0, 60);
  return new QueueError('usage', {
    problem: `several words could be meant in two ways: ${shown}`,
    hint: `as a shell command: queuectl ${name} '${shown}'; as an exact list: queuectl ${name} -- ${shown}`,
  });
}
