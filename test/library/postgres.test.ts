// openQueue on PostgreSQL.

import { randomUUID } from 'node:crypto';
import { openQueue } from '../../src/library/index.ts';
import { addressWith, sharedServer } from '../support/postgres.ts';
import { testLibrary, workOn } from './behaviour.ts';

testLibrary('PostgreSQL', async (t) => {
  const schema = `library_${randomUUID().slice(0, 8)}`;
  const queue = await openQueue({ db: addressWith(await sharedServer(), { schema }) });
  t.after(() => queue.close());
  return { queue, work: workOn(t, queue) };
});
