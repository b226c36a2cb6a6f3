// Words that users have made up for their jobs.

import type { Words } from '../store.ts';
import { keyQueries, keysFrom, namesQuery } from '../rows/word-rows.ts';
import type { Connection } from './connection.ts';

export function wordsOf(connection: Connection): Words {
  const wordsBy = (query: string, limit: number): string[] =>
    connection
      .sql(query)
      .all(limit)
      .map(({ word }) => String(word));
  return {
    names: (limit) => connection.read(() => wordsBy(namesQuery('0 + ?'), limit)),
    keys: (limit) =>
      connection.read(() => {
        const found = keyQueries('0 + ?').map((query) => wordsBy(query, limit));
        return keysFrom(found, limit);
      }),
  };
}
