// Recipes and secrets.

import type { NamedTexts, Texts } from '../port/texts.ts';
import type { Row } from '../rows/rows.ts';
import { textOf, textQueries, textValues } from '../rows/text-rows.ts';
import type { Connection } from './connection.ts';

export const textsOf = (connection: Connection): Texts => ({
  recipes: tableOf(connection, 'recipes'),
  secrets: tableOf(connection, 'secrets'),
});

function tableOf(connection: Connection, table: keyof Texts): NamedTexts {
  const queries = textQueries(table, () => '?');
  const rows = (text: string, ...values: string[]): Promise<Row[]> =>
    connection.read(() => connection.sql(text).all(...values) as Row[]);
  const changes = (text: string, values: readonly (string | number)[]): Promise<boolean> =>
    connection.write(() => connection.sql(text).run(...values).changes === 1);
  return {
    all: async () => (await rows(queries.all)).map(textOf),
    get: async (name) => (await rows(queries.one, name)).map(textOf)[0] ?? null,
    save: (entry, mayReplace) => changes(mayReplace ? queries.replace : queries.add, textValues(entry)),
    remove: (name) => changes(queries.remove, [name]),
  };
}
