// A worker as torture runs it: the real one, but for its clock, which reads how far it is off from a file, if one is
// named. Usage: worker.ts DB OFFSET_FILE CONCURRENCY

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeOf } from '../src/place.ts';
import { openStore } from '../src/store/open.ts';
import { makeWorkerId, startWorker } from '../src/worker/crew.ts';

const [, , db = '', offsetFile = '', concurrency = '2'] = process.argv;
const place = placeOf(db, process.env);
const store = await openStore(place, offsetFile ? { clock } : {});
const home = { store, place, overrides: {}, environment: process.env };
const worker = startWorker(home, {
  id: makeWorkerId(),
  queues: null,
  concurrency: Number(concurrency),
  drain: false,
  guard: [join(import.meta.dirname, 'guard.ts')],
  log: (line) => process.stderr.write(`${new Date().toISOString()}  ${line}\n`),
});
process.on('SIGTERM', () => worker.stop('graceful'));
await worker.run();
await store.close();

function clock(): number {
  return Date.now() + Number(readFileSync(offsetFile, 'utf8') || 0);
}
