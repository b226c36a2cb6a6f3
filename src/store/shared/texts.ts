// Recipes and secrets: two tables that differ only in the name of one column.

import type { NamedText, NamedTexts, Texts } from '../port/texts.ts';
import { columnsFor } from '../rows/columns.ts';
import { change, type Database, provenBy, run } from '../sql/database.ts';
import { insertInto, orUpdate, raw, sql, unlessPresent } from '../sql/statement.ts';

export const textsOf = (database: Database): Texts => ({
  recipes: tableOf(database, 'recipes', 'definition'),
  secrets: tableOf(database, 'secrets', 'sealed'),
});

function tableOf(database: Database, name: keyof Texts, column: string): NamedTexts {
  const table = raw(name);
  const found = sql`SELECT name, ${raw(column)} AS text, created_at, created_by FROM ${table}`;
  const changed = [column, 'created_at', 'created_by'];
  return {
    all: async () => (await database.rows(sql`${found} ORDER BY name`)).map(TEXT.recordOf),
    get: async (name) => (await database.rows(sql`${found} WHERE name = ${name}`)).map(TEXT.recordOf)[0] ?? null,
    save: ({ name: key, text, createdAt, createdBy }, mayReplace) =>
      database.write(function* () {
        yield* provenBy(sql`
          SELECT 1 FROM ${table} WHERE name = ${key} AND created_at = ${createdAt} AND created_by = ${createdBy}`);
        const insert = insertInto(name, ['name', ...changed].join(', '), [key, text, createdAt, createdBy]);
        return (yield* run(mayReplace ? orUpdate(insert, 'name', changed) : unlessPresent(insert))).count === 1;
      }, {}),
    remove: async (name) => (await change(database, sql`DELETE FROM ${table} WHERE name = ${name}`)) === 1,
  };
}

const TEXT = columnsFor<NamedText>('name', 'text', 'createdAt', 'createdBy');
