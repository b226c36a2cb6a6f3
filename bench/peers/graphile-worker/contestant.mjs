// graphile-worker with the fastest documented setup: addJobs(), a local queue, batched completion, and as many jobs in
// flight as the others. It deletes completed jobs, and keeps no record of attempts.

import { EventEmitter } from 'node:events';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';

/** @param {{ url: string, schema: string, claimedAtOnce: number }} where */
export async function open({ url, schema, claimedAtOnce }) {
  const preset = {
    worker: {
      connectionString: url,
      schema,
      concurrentJobs: claimedAtOnce,
      localQueue: { size: claimedAtOnce },
      completeJobBatchDelay: 0,
      logger: new Logger(() => () => {}),
    },
  };
  const utils = await makeWorkerUtils({ preset });
  await utils.migrate();
  const left = async () => {
    const { rows } = await utils.withPgClient((client) =>
      client.query(`SELECT 1 FROM "${schema}"._private_jobs LIMIT 1`),
    );
    return rows.length;
  };
  return {
    add: (count) => utils.addJobs(Array.from({ length: count }, (_, i) => ({ identifier: 'noop', payload: { i } }))),
    process: (count) => processAll(preset, count, left),
    close: () => utils.release(),
  };
}

/** Milliseconds from the first question for a job until the last one is deleted; connecting is not counted. */
async function processAll(preset, count, left) {
  const events = new EventEmitter();
  let startedAt;
  events.once('worker:getJob:start', () => {
    startedAt = performance.now();
  });
  const { promise: finished, resolve: finish } = Promise.withResolvers();
  let done = 0;
  const taskList = {
    noop: async () => {
      if (++done === count) finish();
    },
  };
  const runner = await run({
    preset: { worker: { ...preset.worker, events } },
    taskList,
    noHandleSignals: true,
  });
  await finished;
  while ((await left()) > 0);
  const took = performance.now() - startedAt;
  await runner.stop();
  return took;
}
