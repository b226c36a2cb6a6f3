// The options that limit and confine the jobs of a queue: those of a job, each with `none` or `any` to remove the
// requirement.

import { flagsOf } from '../../job/fields/fields.ts';
import { type Context, eachOption, type OptionSpecs } from '../command.ts';

export const QUEUE_LIMIT_OPTIONS = eachOption(flagsOf(['limits']), { kind: 'text', choices: [] });

/** Returns the given limits; null removes one. */
export const givenLimits = ({ options }: Context): Readonly<Record<string, string | number | null>> =>
  Object.fromEntries(
    Object.entries(options.pick(...Object.keys(QUEUE_LIMIT_OPTIONS))).map(([flag, value]) => [
      flag === 'limits' ? 'mode' : flag.replaceAll('-', '_'),
      value === 'none' ? null : /^\d+$/.test(String(value)) ? Number(value) : String(value),
    ]),
  );

/** Requirements of a queue for its jobs. */
export const QUEUE_CONFINEMENT_OPTIONS = {
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
} satisfies OptionSpecs;

/** Returns the given requirements; null removes one. */
export const givenConfinement = ({ options }: Context): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    Object.entries(options.pick(...Object.keys(QUEUE_CONFINEMENT_OPTIONS))).map(([name, value]) => [
      name,
      value === 'any' ? null : String(value),
    ]),
  );
