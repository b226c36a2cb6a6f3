// pg-boss with the fastest documented setup: insert() of many jobs, fetch() and complete() of a batch each, with the
// completion of one batch alongside the fetch of the next. It keeps completed jobs, but no record of attempts.

import PgBoss from 'pg-boss';

const QUEUE = 'noop';

/** @param {{ url: string, schema: string, workers: number, slots: number }} where */
export async function open({ url, schema, workers, slots }) {
  const boss = new PgBoss({ connectionString: url, schema, max: 10 + workers, supervise: false, schedule: false });
  boss.on('error', (error) => {
    throw error;
  });
  await boss.start();
  await boss.createQueue(QUEUE);
  return {
    add: (count) => boss.insert(Array.from({ length: count }, (_, i) => ({ name: QUEUE, data: { i } }))),
    process: (count) => processAll(boss, count, workers, slots),
    close: () => boss.stop({ graceful: false, wait: true }),
  };
}

async function processAll(boss, count, workers, batchSize) {
  const startedAt = performance.now();
  const done = await Promise.all(Array.from({ length: workers }, () => processOnce(boss, batchSize)));
  const sum = done.reduce((a, b) => a + b, 0);
  if (sum !== count) throw new Error(`${sum} of ${count} jobs were processed`);
  return performance.now() - startedAt;
}

async function processOnce(boss, batchSize) {
  const fetch = () => boss.fetch(QUEUE, { batchSize });
  let jobs = await fetch();
  let done = 0;
  while (jobs.length > 0) {
    const ids = jobs.map(({ id }) => id);
    const [next] = await Promise.all([fetch(), boss.complete(QUEUE, ids)]);
    done += ids.length;
    jobs = next;
  }
  return done;
}
