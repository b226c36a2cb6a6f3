// pg-boss with the fastest documented setup: insert() of many jobs, fetch() and complete() of a batch each, with the
// completion of one batch alongside the fetch of the next. It keeps completed jobs, but no record of attempts.

import PgBoss from 'pg-boss';

const QUEUE = 'noop';

/** @param {{ url: string, schema: string, claimedAtOnce: number }} where */
export async function open({ url, schema, claimedAtOnce }) {
  const boss = new PgBoss({ connectionString: url, schema, supervise: false, schedule: false });
  boss.on('error', (error) => {
    throw error;
  });
  await boss.start();
  await boss.createQueue(QUEUE);
  return {
    add: (count) => boss.insert(Array.from({ length: count }, (_, i) => ({ name: QUEUE, data: { i } }))),
    process: (count) => processAll(boss, count, claimedAtOnce),
    close: () => boss.stop({ graceful: false, wait: true }),
  };
}

async function processAll(boss, count, batchSize) {
  const startedAt = performance.now();
  const fetch = () => boss.fetch(QUEUE, { batchSize });
  let jobs = await fetch();
  let done = 0;
  while (jobs.length > 0) {
    const ids = jobs.map(({ id }) => id);
    const [next] = await Promise.all([fetch(), boss.complete(QUEUE, ids)]);
    done += ids.length;
    jobs = next;
  }
  if (done !== count) throw new Error(`${done} of ${count} jobs were processed`);
  return performance.now() - startedAt;
}
