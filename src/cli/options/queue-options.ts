// The flags that limit and confine the jobs of a queue: those of a job, each with `none` or `any` to take it back.

import { flagsOf } from '../../job/fields/fields.ts';
import { LIMIT_NAMES } from '../../job/input/limits-input.ts';
import type { Context, OptionSpec } from '../command.ts';

export const QUEUE_LIMIT_OPTIONS: Readonly<Record<string, OptionSpec>> = Object.fromEntries(
  Object.entries(flagsOf((_, name) => name === 'limits')).map(([name, { choices: _, ...spec }]) => [
    name,
    { ...spec, kind: 'text' },
  ]),
);

/** What was given for each; null unsets it. */
export function limitsSaid({ options }: Context): Readonly<Record<string, string | number | null>> {
  return Object.fromEntries(
    [...LIMIT_NAMES, 'limits'].flatMap((name): [string, string | number | null][] => {
      const text = options.text(name.replaceAll('_', '-'));
      if (text === undefined) return [];
      return [
        [
          name === 'limits' ? 'mode' : name,
          text === 'none' ? null : /^\d+$/.test(text) ? Number(text) : text,
        ],
      ];
    }),
  );
}

/** Said of a queue, they are required of its jobs. */
export const QUEUE_CONFINEMENT_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  sandbox: {
    kind: 'text',
    value: 'PROFILE',
    help: 'required sandbox for all jobs of the queue; any: each job chooses',
  },
  user: {
    kind: 'text',
    value: 'NAME',
    help: 'required user for all jobs of the queue; any: each job chooses',
  },
};

/** As they say: what takes a requirement back. */
const ANY = 'any';

/** What was given for a queue; null unsets it. */
export function confinementSaid({ options }: Context): Readonly<Record<string, string | null>> {
  const said = ['sandbox', 'user'].map((name) => [name, options.text(name)] as const);
  return Object.fromEntries(
    said.flatMap(([name, text]) => (text === undefined ? [] : [[name, text === ANY ? null : text]])),
  );
}
