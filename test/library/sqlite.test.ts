// openQueue on a file.

import { join } from 'node:path';
import { openQueue } from '../../src/library/index.ts';
import { temporaryFolder } from '../support/folder.ts';
import { testLibrary, workOn } from './behaviour.ts';

testLibrary('a file', async (t) => {
  const queue = await openQueue({ db: join(temporaryFolder(t), 'queue.db') });
  t.after(() => queue.close());
  return { queue, work: workOn(t, queue) };
});
