// Recipes and secrets between rows and records: two tables that differ in the name of one column.

import type { NamedText, Texts } from '../port/texts.ts';
import type { Row } from './rows.ts';

/** The column that holds the text of each table. */
const COLUMNS: Readonly<Record<keyof Texts, string>> = { recipes: 'definition', secrets: 'sealed' };

/** `place` names the values as the engine does. */
export function textQueries(table: keyof Texts, place: (n: number) => string) {
  const column = COLUMNS[table];
  const found = `SELECT name, ${column} AS text, created_at, created_by FROM ${table}`;
  const values = [1, 2, 3, 4].map(place).join(', ');
  const added = `INSERT INTO ${table} (name, ${column}, created_at, created_by) VALUES (${values}) ON CONFLICT (name)`;
  return {
    all: `${found} ORDER BY name`,
    one: `${found} WHERE name = ${place(1)}`,
    add: `${added} DO NOTHING`,
    replace: `${added} DO UPDATE SET ${column} = excluded.${column}, created_at = excluded.created_at,
      created_by = excluded.created_by`,
    remove: `DELETE FROM ${table} WHERE name = ${place(1)}`,
    proof: `SELECT 1 FROM ${table} WHERE name = ${place(1)} AND created_at = ${place(2)} AND created_by = ${place(3)}`,
  };
}

export const textValues = ({ name, text, createdAt, createdBy }: NamedText): (string | number)[] => [
  name,
  text,
  createdAt,
  createdBy,
];

export const textOf = (row: Row): NamedText => ({
  name: String(row.name),
  text: String(row.text),
  createdAt: Number(row.created_at),
  createdBy: String(row.created_by),
});
