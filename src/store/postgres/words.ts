// Words that users have made up for their jobs.

import type { Words } from '../store.ts';
import { keyQueries, keysFrom, namesQuery } from '../rows/word-rows.ts';
import type { Connection, Session } from './session/connection.ts';

export const wordsOf = (connection: Connection): Words => ({
  names: (limit) => connection.read((session) => wordsBy(session, namesQuery('$1'), limit)),
  keys: (limit) =>
    connection.read(async (session) => {
      const found = await Promise.all(keyQueries('$1').map((query) => wordsBy(session, query, limit)));
      return keysFrom(found, limit);
    }),
});

const wordsBy = async (session: Session, query: string, limit: number): Promise<string[]> =>
  (await session.sql(query, [limit])).rows.map(({ word }) => String(word));
