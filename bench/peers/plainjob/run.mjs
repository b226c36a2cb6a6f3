// plainjob on its own defaults: adds no-op jobs, then processes them. Prints seconds for both as JSON.
// Usage: node run.mjs DB COUNT

import Database from 'better-sqlite3';
import { better, defineQueue, defineWorker } from 'plainjob';

const [, , path, count] = process.argv;
const silent = { error() {}, warn() {}, info() {}, debug() {} };
const queue = defineQueue({ connection: better(new Database(path)), logger: silent });

const added = seconds(() =>
  queue.addMany(
    'no-op',
    Array.from({ length: Number(count) }, (_, i) => ({ i })),
  ),
);
const processed = await processAll(Number(count));
console.log(JSON.stringify({ added, processed }));
queue.close();

function seconds(work) {
  const startedAt = performance.now();
  work();
  return (performance.now() - startedAt) / 1000;
}

async function processAll(total) {
  let done = 0;
  const startedAt = performance.now();
  await new Promise((resolve) => {
    const worker = defineWorker('no-op', async () => {}, {
      queue,
      logger: silent,
      onCompleted: () => {
        if (++done === total) {
          resolve();
          worker.stop();
        }
      },
    });
    worker.start();
  });
  return (performance.now() - startedAt) / 1000;
}
