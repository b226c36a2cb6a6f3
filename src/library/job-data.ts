// Job types of the library, derived from the table of job fields. The package contains the same types written out by
// scripts/job-types.ts.

import type { FIELDS, InputName, JobJson, NewJobFields as AnyName } from '../job/fields/fields.ts';
import type { Shaped } from '../job/fields/shape.ts';

type Fields = typeof FIELDS;

/** ISO 8601, UTC, with milliseconds. */
export type Time = string;

export type Job = JobJson;
export type JobState = Job['state'];
export type Limits = NonNullable<Job['limits']>;
export type Command = Shaped<Fields['command']['json']['shape']>;
export type Hooks = Shaped<Fields['hooks']['input']['hooks']['shape']>;

type Alias = {
  [K in keyof Fields]: Fields[K] extends { readonly input: infer I }
    ? { [N in keyof I]: I[N] extends { readonly isAlias: true } ? N : never }[keyof I]
    : never;
}[keyof Fields];

/** Omitted fields have their defaults. */
export type NewJobFields = { readonly [N in Exclude<InputName, Alias>]?: NonNullable<AnyName[N]> };

/** A new job with a command, or with a recipe that defines it. */
export type NewJob = NewJobFields & ({ readonly command: Command } | { readonly recipe: string });
