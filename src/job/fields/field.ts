// What the table of job fields says of each field. src/job/fields/fields.ts has the table.

import type { ConfinementInput } from '../input/isolation-input.ts';
import type { Reader } from '../input/input-readers.ts';
import type { Job, NewJob } from '../job.ts';
import type { OutcomeInput } from '../input/outcome-input.ts';
import type { Usage } from '../usage.ts';
import type { Shape } from './shape.ts';

/** Every field of a new and of a stored job, and the parts of those that JSON spreads over several fields. */
export type AllFields = Job &
  Omit<NewJob, 'stdin'> & { readonly stdin: Uint8Array | null } & Required<OutcomeInput & ConfinementInput> &
  Usage & { readonly heldReason: string | null };

export type FieldTable = { readonly [K in keyof AllFields]: Field<AllFields[K]> };

export interface Field<T = never> {
  /** The names under which users can set the field, the main one first. Absent: only queuectl sets it. */
  readonly input?: Readonly<Record<string, Input<NonNullable<T>>>>;
  /** The value of a new job that does not set the field. Absent: parseJob() decides it. */
  readonly unset?: T;
  /** How the field of a waiting job is edited: replaced, replaced or reset to `unset`, or as part of another field. */
  readonly edit?: 'replace' | 'replace or unset' | 'part';
  /** Why the field cannot be edited, though it can be set. */
  readonly noEdit?: string;
  /** How the field is shown in JSON. Absent: it is not. */
  readonly json?: Json<T>;
  /** Where the field is stored. Absent: nowhere, or with the field that it is a part of. */
  readonly stored?: Stored<T>;
}

/** A name of a field in input. */
export interface Input<T = never> {
  readonly shape: Shape;
  readonly read: Reader<T>;
  /** Help for the flag and description in the OpenAPI document. */
  readonly help: string;
  /** Accepted, but not offered to programs: another name says the same. */
  readonly isAlias?: true;
  readonly flag?: Flag;
}

/** A flag of enqueue. */
export interface Flag {
  /** Absent: the name in JSON, with dashes. */
  readonly name?: string;
  readonly kind: 'flag' | 'text' | 'integer' | 'number' | 'seconds';
  readonly short?: string;
  readonly value?: string;
  /** Help, where it differs from the description in the OpenAPI document. */
  readonly help?: string;
  readonly many?: boolean;
  readonly topic?: 'workflow' | 'hooks' | 'limits' | 'outcome' | 'environment' | 'isolation';
  readonly hidden?: boolean;
  readonly choices?: readonly string[];
  readonly optional?: { readonly insteadOfArgument: readonly string[] };
}

export interface Shown {
  /** Whether the values of variables are shown. */
  readonly env: boolean;
}

export interface Json<T> {
  readonly shape: Shape;
  /** Description in the OpenAPI document and in the library. */
  readonly help?: string;
  /** The value to show. Absent: the field itself, a time as text. */
  readonly of?: (job: Job, show: Shown) => unknown;
  /** The field as it was, from JSON. Absent: the value itself, a time as a number. */
  readonly from?: (value: never) => T;
}

export type Row = Readonly<Record<string, unknown>>;
export type Cell = string | number | null;
export type ColumnType = 'text' | 'bigint' | 'smallint' | 'double precision';

export interface Stored<T> {
  /** What a new job writes, by column. Empty: it has a default there, and the column is named like the field. */
  readonly columns: Readonly<Record<string, Column>>;
  /** Absent: the value of the column. */
  readonly read?: (row: Row) => T;
  /** Every new job writes the columns. Most jobs leave all others null, and are inserted without them. */
  readonly isCommon?: true;
}

export interface Column {
  /** In PostgreSQL; SQLite needs none. */
  readonly type: ColumnType;
  /** A function of its own for each column: one for all that takes the name of the field is several times slower. */
  readonly write: (job: NewJob) => Cell;
}

export const text = (write: Column['write']): Column => ({ type: 'text', write });
export const bigint = (write: Column['write']): Column => ({ type: 'bigint', write });
export const smallint = (write: Column['write']): Column => ({ type: 'smallint', write });
export const double = (write: Column['write']): Column => ({ type: 'double precision', write });

/** Set by queuectl alone, in a column that is named like the field. */
export const OWN: { readonly columns: Record<never, Column> } = { columns: {} };

export const inSnakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
