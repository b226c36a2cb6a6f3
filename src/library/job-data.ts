// Jobs as they go in and out of the library, by the table of job fields. The package has the same types written out:
// scripts/job-types.ts makes them.

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

/** What is left out has its default. */
export type NewJobFields = { readonly [N in Exclude<InputName, Alias>]?: NonNullable<AnyName[N]> };

/** A job as it is enqueued: with a command, or with a recipe that makes it. */
export type NewJob = NewJobFields & ({ readonly command: Command } | { readonly recipe: string });
