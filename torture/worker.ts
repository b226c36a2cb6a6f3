// A real worker, except that its clock error is read from a file, if given, and that its machine may be another one
// with the same name. Usage: worker.ts DB OFFSET_FILE CONCURRENCY MACHINE GUARD_LOG [QUEUE]

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeOf } from '../src/store/location.ts';
import { ownIdentity } from '../src/process/tree/identity.ts';
import { settingsFromEnvironment } from '../src/settings/settings.ts';
import { openStore } from '../src/store/open.ts';
import { makeWorkerId, startWorker } from '../src/worker/start-worker.ts';

const [, , db = '', offsetFile = '', concurrency = '2', machine = '', guardLog = '', queue] = process.argv;
const place = placeOf(db, process.env);
const store = await openStore(place, offsetFile ? { clock } : {});
const here = ownIdentity(process.env);
const identity = machine ? { ...here, bootId: `${here.bootId}/${machine}` } : here;
const overrides = settingsFromEnvironment(process.env);
const home = { store, place, overrides, environment: process.env, identity };
const worker = startWorker(home, {
  id: makeWorkerId(),
  queues: queue ? [queue] : null,
  concurrency: Number(concurrency),
  drain: false,
  ownsProcess: true,
  guard: [join(import.meta.dirname, 'guard.ts'), guardLog],
  log: (line) => process.stderr.write(`${new Date().toISOString()}  ${line}\n`),
});
let signals = 0;
process.on('SIGTERM', () => worker.stop(++signals > 1 ? 'force' : 'graceful'));
process.on('SIGINT', () => worker.stop('force'));
await worker.run();
await store.close();

function clock(): number {
  return Date.now() + Number(readFileSync(offsetFile, 'utf8') || 0);
}
