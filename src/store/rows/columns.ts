// Conversions between table rows and records whose fields have the names of the columns, but in camel case.

import { type Cell, inSnakeCase } from '../../job/fields/field.ts';
import type { Row } from './rows.ts';

interface Columns<T> {
  readonly names: readonly string[];
  /** The names as an SQL list. */
  readonly list: string;
  /** Returns the values in the order of the columns. */
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
