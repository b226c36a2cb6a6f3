// Checks cells of an export file against a table: known names, correct types, nothing missing. Returns the problem, if
// any.

import type { ColumnInfo } from '../store/store.ts';
import { LOCAL_COLUMNS } from './format.ts';

export type Columns = Readonly<Record<string, readonly ColumnInfo[]>>;

const TYPES: Readonly<Record<ColumnInfo['type'], (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  real: (value) => Number.isFinite(value),
};

/** Schedules carry their environment as text. */
const namesBeside = (columns: readonly ColumnInfo[]): readonly string[] =>
  columns.some(({ name }) => name === 'environment_id') ? ['environment'] : [];

export function problemWithCells(columns: Columns, table: string, cells: unknown): string | null {
  if (!isRecord(cells)) return `the value for ${table} is not an object`;
  const known = importable(columns, table);
  const beside = table === 'jobs' ? [] : namesBeside(columns[table] ?? []);
  for (const [name, value] of Object.entries(cells)) {
    if (beside.includes(name) && typeof value === 'string') continue;
    const column = known.find((one) => one.name === name);
    if (!column) return `unknown field '${name.slice(0, 40)}' in ${table}`;
    if (!TYPES[column.type](value)) return `field '${name}' in ${table} must be of type ${column.type}`;
  }
  const missing = known.find(({ name, isNullable, hasDefault }) => !isNullable && !hasDefault && !(name in cells));
  return missing ? `field '${missing.name}' in ${table} is missing` : null;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Columns that a file may contain. */
const importable = (columns: Columns, table: string): ColumnInfo[] =>
  (columns[table] ?? []).filter(({ name }) => !(LOCAL_COLUMNS[table] ?? ['job_seq']).includes(name));

/** Returns all importable columns in order; missing values are null. */
export function filled(
  columns: Columns,
  table: string,
  cells: Readonly<Record<string, string | number>>,
): Record<string, string | number | null> {
  const said = importable(columns, table).filter(({ name, isNullable }) => isNullable || name in cells);
  const beside = table === 'jobs' ? [] : namesBeside(columns[table] ?? []);
  const names = [...said.map(({ name }) => name), ...beside];
  return Object.fromEntries(names.map((name) => [name, cells[name] ?? null]));
}
