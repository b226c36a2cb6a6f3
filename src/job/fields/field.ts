// Properties of a job field. src/job/fields/fields.ts has the table of fields.

import type { ConfinementInput } from '../input/isolation-input.ts';
import type { Reader } from '../input/input-readers.ts';
import type { Job, NewJob } from '../job.ts';
import type { OutcomeInput } from '../input/outcome-input.ts';
import type { Usage } from '../usage.ts';
import type { Shape } from './shape.ts';

/** Every field of new and stored jobs, and the parts of those fields that JSON splits. */
export type AllFields = Job &
  Omit<NewJob, 'stdin'> & { readonly stdin: Uint8Array | null } & Required<OutcomeInput & ConfinementInput> &
  Usage & { readonly heldReason: string | null };

export type FieldTable = { readonly [K in keyof AllFields]: Field<AllFields[K]> };

export interface Field<T = never> {
  /** Names in input, main name first. Absent if only queuectl sets the field. */
  readonly input?: Readonly<Record<string, Input<NonNullable<T>>>>;
  /** Default value. Absent if parseJob() determines it. */
  readonly unset?: T;
  /**
   * How to edit the field of a waiting job: replace it, replace it or reset it to `unset`, or as part of another field.
   */
  readonly edit?: 'replace' | 'replace or unset' | 'part';
  /** Why the field cannot be edited although it can be set. */
  readonly noEdit?: string;
  /** How JSON shows the field. Absent if JSON omits it. */
  readonly json?: Json<T>;
  /** Where the field is stored. Absent if it is not stored, or stored as part of another field. */
  readonly stored?: Stored<T>;
}

/** A name of a field in input. */
export interface Input<T = never> {
  readonly shape: Shape;
  readonly read: Reader<T>;
  /** Help for the flag and description in the OpenAPI document. */
  readonly help: string;
  /** Accepted, but not offered to programs, because another name means the same. */
  readonly isAlias?: true;
  readonly flag?: Flag;
}

/** A flag of `enqueue`. */
export interface Flag {
  /** By default the JSON name, with dashes. */
  readonly name?: string;
  readonly kind: 'flag' | 'text' | 'integer' | 'number' | 'seconds';
  readonly short?: string;
  readonly value?: string;
  /** Help, if it differs from the description in the OpenAPI document. */
  readonly help?: string;
  readonly many?: boolean;
  readonly topic?: 'workflow' | 'hooks' | 'limits' | 'outcome' | 'environment' | 'isolation';
  readonly hidden?: boolean;
  readonly choices?: readonly string[];
  readonly optional?: { readonly insteadOfArgument: readonly string[] };
}

export interface Shown {
  /** True if values of variables are shown. */
  readonly env: boolean;
}

export interface Json<T> {
  readonly shape: Shape;
  /** Description in the OpenAPI document and in the library. */
  readonly help?: string;
  /** Returns the value to show. By default the field itself; times as text. */
  readonly of?: (job: Job, show: Shown) => unknown;
  /** Converts JSON back to the field. By default the value itself; times as numbers. */
  readonly from?: (value: never) => T;
}

export type Row = Readonly<Record<string, unknown>>;
export type Cell = string | number | null;
export type ColumnType = 'text' | 'bigint' | 'smallint' | 'double precision';

export interface Stored<T> {
  /** Writers for new jobs, by column. Empty if the column is named like the field and has a default. */
  readonly columns: Readonly<Record<string, Column>>;
  /** By default the value of the column. */
  readonly read?: (row: Row) => T;
  /** True if every new job writes the columns. The other columns are usually null, and inserts omit them. */
  readonly isCommon?: true;
}

export interface Column {
  /** PostgreSQL type; SQLite needs none. */
  readonly type: ColumnType;
  /** Each column has its own function, because a shared one with a field name is several times slower. */
  readonly write: (job: NewJob) => Cell;
}

export const text = (write: Column['write']): Column => ({ type: 'text', write });
export const bigint = (write: Column['write']): Column => ({ type: 'bigint', write });
export const smallint = (write: Column['write']): Column => ({ type: 'smallint', write });
export const double = (write: Column['write']): Column => ({ type: 'double precision', write });

/** For fields that only queuectl sets, in a column named like the field. */
export const OWN: { readonly columns: Record<never, Column> } = { columns: {} };

export const inSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
