// The options that set fields of a job, shared by the commands that create jobs.

import { usageError } from '../../errors/errors.ts';
import { FIELD_NAMES, flagsOf } from '../../job/fields/fields.ts';
import type { JobInput } from '../../queue/queue.ts';
import type { Context, OptionSpecs } from '../command.ts';
import { onlyOneOf } from './checks.ts';
import { variables } from './variables.ts';

/** Each sets the field of the same name. */
export const FIELD_OPTIONS = flagsOf(FIELD_NAMES);

export const JOB_OPTIONS = {
  ...FIELD_OPTIONS,
  stdin: {
    kind: 'text',
    topic: 'environment',
    value: 'FILE',
    help: 'file for the standard input of every attempt; - reads it from stdin',
  },
  'inherit-env': {
    kind: 'flag',
    topic: 'environment',
    help: "run with this shell's environment (default on SQLite)",
  },
  'no-inherit-env': {
    kind: 'flag',
    topic: 'environment',
    help: "run with the worker's environment (default on PostgreSQL)",
  },
} satisfies OptionSpecs;

/** Whether the job inherits the environment of this shell. Returns undefined if the setting decides. */
type InheritOptions = Pick<typeof JOB_OPTIONS, 'inherit-env' | 'no-inherit-env'>;

export function inheritsByFlags({ options }: Context<InheritOptions>): boolean | undefined {
  const given = onlyOneOf(options, 'inherit-env', 'no-inherit-env');
  return given === undefined ? undefined : given === 'inherit-env';
}

/** These accept several jobs at once, 'a,b': IDs, names and groups contain no comma. */
const PARENT_FLAGS = ['after', 'after-any-end', 'after-failure'];

/** Returns the fields that the given options set. */
export function saidByFlags({ options, environment }: Context): JobInput {
  const { env, param, ...fields } = options.pick(...Object.keys(FIELD_OPTIONS));
  const said = Object.fromEntries(
    Object.entries(fields).map(([flag, value]) => [
      flag.replaceAll('-', '_'),
      PARENT_FLAGS.includes(flag) ? (value as readonly string[]).flatMap((parents) => parents.split(',')) : value,
    ]),
  );
  return {
    ...said,
    ...(env !== undefined && { env: variables(env as readonly string[], environment) }),
    ...(param !== undefined && { params: params(param as readonly string[]) }),
  };
}

function params(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((entry) => {
      const at = entry.indexOf('=');
      if (at > 0) return [entry.slice(0, at), entry.slice(at + 1)];
      throw usageError(`--param ${entry} has no value`, 'use --param NAME=VALUE');
    }),
  );
}
