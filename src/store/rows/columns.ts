// Conversions between the rows of a table and records whose fields are named like its columns, but in camel case.

import { type Cell, inSnakeCase } from '../../job/fields/field.ts';
import type { Row } from './rows.ts';

interface Columns<T> {
  readonly names: readonly string[];
  /** The names as a list in SQL. */
  readonly list: string;
  /** Returns the values of the columns, in their order. */
  valuesOf(record: T): Cell[];
  recordOf(row: Row): T;
}

export function columnsFor<T>(...fields: readonly (keyof T & string)[]): Columns<T> {
  const names = fields.map(inSnakeCase);
  return {
    names,
    list: names.join(', '),
    valuesOf: (record) => fields.map((field) => record[field] as Cell),
    recordOf: (row) => Object.fromEntries(fields.map((field, i) => [field, row[names[i] ?? '']])) as T,
  };
}
