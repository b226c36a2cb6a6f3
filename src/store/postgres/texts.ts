// Recipes and secrets.

import type { NamedTexts, Texts } from '../port/texts.ts';
import type { Row } from '../rows/rows.ts';
import { textOf, textQueries, textValues } from '../rows/text-rows.ts';
import type { Connection } from './session/connection.ts';

export const textsOf = (connection: Connection): Texts => ({
  recipes: tableOf(connection, 'recipes'),
  secrets: tableOf(connection, 'secrets'),
});

const REPEATABLE = { isRepeatable: true };

function tableOf(connection: Connection, table: keyof Texts): NamedTexts {
  const queries = textQueries(table, (n) => `$${n}`);
  const rows = async (text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await connection.query(text, values)).rows;
  return {
    all: async () => (await rows(queries.all)).map(textOf),
    get: async (name) => (await rows(queries.one, [name])).map(textOf)[0] ?? null,
    save: (entry, mayReplace) =>
      connection.write(async (session) => {
        session.provenBy(queries.proof, [entry.name, entry.createdAt, entry.createdBy]);
        const text = mayReplace ? queries.replace : queries.add;
        return (await session.sql(text, textValues(entry))).count === 1;
      }),
    remove: (name) =>
      connection.write(
        async (session) => (await session.sql(queries.remove, [name])).count === 1,
        REPEATABLE,
      ),
  };
}
