// SQL with its values, written as a template: sql`SELECT id FROM jobs WHERE queue = ${queue}`. Values are bound as
// parameters. Statements can be nested; each store names the parameters when it runs the whole statement.

/** Only the PostgreSQL dialect binds lists. */
export type Value = string | number | null | Uint8Array | readonly (string | number | null)[];

export interface Sql {
  /** Text around the values; always has one more element than `values`. */
  readonly texts: readonly string[];
  readonly values: readonly Value[];
}

export function sql(texts: readonly string[], ...given: readonly (Value | Sql)[]): Sql {
  const all = [texts[0] ?? ''];
  const values: Value[] = [];
  for (const [i, one] of given.entries()) {
    append(all, values, isSql(one) ? one : { texts: ['', ''], values: [one] });
    all.push(`${all.pop()}${texts[i + 1]}`);
  }
  return { texts: all, values };
}

function append(texts: string[], values: Value[], { texts: [first = '', ...others], values: more }: Sql): void {
  texts.push(`${texts.pop()}${first}`, ...others);
  values.push(...more);
}

const isSql = (one: Value | Sql): one is Sql => typeof one === 'object' && one !== null && 'texts' in one;

/** Text of the program itself, such as a column name; never user input. */
export const raw = (text: string): Sql => ({ texts: [text], values: [] });

/** Inlines a number that is constant or that the planner should see. */
export const literal = (value: number): Sql => raw(String(value));

export const join = (parts: readonly (Value | Sql)[], separator: string): Sql =>
  parts.length === 0 ? raw('') : sql(['', ...parts.slice(1).map(() => separator), ''], ...parts);

/** `place` returns the nth parameter, counted from 1. */
export const render = ({ texts }: Sql, place: (n: number) => string): string =>
  texts.reduce((text, piece, i) => `${text}${place(i)}${piece}`);

export const insertInto = (table: string, columns: string, values: readonly Value[]): Sql =>
  sql`INSERT INTO ${raw(table)} (${raw(columns)}) VALUES (${join(values, ', ')})`;

/** Inserts nothing if a row with this key exists. */
export const unlessPresent = (insert: Sql): Sql => sql`${insert} ON CONFLICT DO NOTHING`;

/** Updates the existing row if there is one with this key. */
export const orUpdate = (insert: Sql, key: string, columns: readonly string[]): Sql =>
  sql`${insert} ON CONFLICT (${raw(key)}) DO UPDATE SET ${raw(columns.map((one) => `${one} = excluded.${one}`).join(', '))}`;
