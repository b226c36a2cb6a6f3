// The table of job fields: names in input, default, and how each field is edited, shown and stored. Input, JSON, rows,
// flags, the OpenAPI document and the library types are derived from it. JSON uses this order.
// src/job/fields/filtered.ts has the fields for filters.

import { type Dashed, dashed } from '../../text/dashed.ts';
import { ENVIRONMENT } from './environment.ts';
import { type Field, type FieldTable, type Input, inSnakeCase, type Json } from './field.ts';
import { FLOW } from './flow.ts';
import { IDENTITY } from './identity.ts';
import { ISOLATION } from './isolation.ts';
import { OUTCOME } from './outcome.ts';
import { RESULTS } from './results.ts';
import { RETRIES } from './retries.ts';
import type { Shaped } from './shape.ts';

export const FIELDS = {
  ...IDENTITY,
  ...RETRIES,
  ...FLOW,
  ...ENVIRONMENT,
  ...OUTCOME,
  ...ISOLATION,
  ...RESULTS,
} satisfies FieldTable;

type Fields = typeof FIELDS;
export type FieldName = keyof Fields;

/** A field without the type of its values. */
export type AnyField = Field<unknown>;
export const ENTRIES = Object.entries(FIELDS) as unknown as readonly [FieldName, AnyField][];

type FieldsWith<Part> = { [K in FieldName]: Fields[K] extends Part ? K : never }[FieldName];

/** Fields that an edit replaces as a whole. */
export type ReplacedField = FieldsWith<{ readonly edit: 'replace' | 'replace or unset' }>;

/** Fields with a default. */
export type UnsetField = FieldsWith<{ readonly unset: unknown }>;

type InputOf<K extends FieldName> = Fields[K] extends { readonly input: infer I } ? I : never;
type InputField = FieldsWith<{ readonly input: object }>;

export type InputName = { [K in InputField]: keyof InputOf<K> & string }[InputField];

export interface InputRule {
  readonly field: InputField;
  readonly input: Input<unknown>;
}

/** Rules by name in input. Plain loops, because every `enqueue` runs this. */
export const INPUT_RULES = {} as Record<InputName, InputRule>;
for (const [field, { input }] of ENTRIES)
  for (const name in input)
    INPUT_RULES[name as InputName] = { field: field as InputField, input: input[name] as Input<unknown> };

type InputValue<N extends InputName> = {
  [K in InputField]: N extends keyof InputOf<K>
    ? InputOf<K>[N] extends { readonly shape: infer S }
      ? Shaped<S>
      : never
    : never;
}[InputField];

/** A new job as JSON, under every name. Null means the same as an absent field. */
export type NewJobFields = { readonly [N in InputName]?: InputValue<N> | null | undefined };

type JsonField = FieldsWith<{ readonly json: object }>;

type SnakeCase<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : S;

export type JobJson = {
  readonly [K in JsonField as SnakeCase<K>]: Fields[K] extends { readonly json: { readonly shape: infer S } }
    ? Shaped<S>
    : never;
};

interface JsonEntry extends Json<unknown> {
  readonly field: FieldName;
  readonly name: keyof JobJson;
  readonly isInput: boolean;
}

let entries: readonly JsonEntry[] | undefined;

/** Returns the fields that JSON shows. Created on first use, which `enqueue` avoids. */
export function jsonEntries(): readonly JsonEntry[] {
  entries ??= ENTRIES.flatMap(([field, { json, input }]) =>
    json === undefined
      ? []
      : { ...json, field, name: inSnakeCase(field) as keyof JobJson, isInput: input !== undefined },
  );
  return entries;
}

/** Accepted so that the JSON of a stored job can be enqueued again, but only with the value of a new job. */
export const FIXED = { state: 'pending', attempts: 0 } as const;

export const inputNames = (): string[] => [...Object.keys(INPUT_RULES), ...Object.keys(FIXED)];

type FlagOf<K extends InputField, N> = {
  [F in K]: N extends keyof InputOf<F> ? (InputOf<F>[N] extends { readonly flag: infer One } ? One : never) : never;
}[K];

type FlagName<N extends string, One> = [One] extends [never]
  ? never
  : One extends { readonly name: infer Given extends string }
    ? Given
    : Dashed<N>;

export type FieldFlags<K extends FieldName = FieldName> = {
  readonly [N in { [F in K & InputField]: keyof InputOf<F> & string }[K & InputField] as FlagName<
    N,
    FlagOf<K & InputField, N>
  >]: Omit<FlagOf<K & InputField, N>, 'name'> & { readonly help: string };
};

export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

export function flagsOf<K extends FieldName>(fields: readonly K[]): FieldFlags<K> {
  const flags: Record<string, object> = {};
  for (const field of fields) {
    const { input }: AnyField = FIELDS[field] as unknown as AnyField;
    if (input !== undefined) addFlags(input, flags);
  }
  return flags as FieldFlags<K>;
}

function addFlags(input: Readonly<Record<string, Input<unknown>>>, flags: Record<string, object>): void {
  for (const name in input) {
    const { help, flag } = input[name] as Input<unknown>;
    if (flag === undefined) continue;
    const { name: typed = dashed(name), ...spec } = flag;
    flags[typed] = { help, ...spec };
  }
}
