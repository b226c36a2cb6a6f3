// graphile-worker with the fastest documented setup: addJobs(), a local queue, batched completion, and as many jobs in
// flight as the others. It deletes completed jobs, and keeps no record of attempts.
// As a program, it is a worker that spawns commands until its parent disconnects: contestant.mjs URL SCHEMA SLOTS

import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';

const presetFor = ({ url, schema, slots }) => ({
  connectionString: url,
  schema,
  concurrentJobs: slots,
  localQueue: { size: slots },
  completeJobBatchDelay: 0,
  logger: new Logger(() => () => {}),
});

async function utilsFor(where) {
  const utils = await makeWorkerUtils({ preset: { worker: presetFor(where) } });
  await utils.migrate();
  const left = async () => {
    const text = `SELECT 1 FROM "${where.schema}"._private_jobs LIMIT 1`;
    return (await utils.withPgClient((client) => client.query(text))).rows.length;
  };
  return { utils, left };
}

/** @param {{ url: string, schema: string, workers: number, slots: number }} where */
export async function open(where) {
  const { utils, left } = await utilsFor(where);
  return {
    add: (count) => utils.addJobs(Array.from({ length: count }, (_, i) => ({ identifier: 'noop', payload: { i } }))),
    process: (count) => processAll(where, count, left),
    close: () => utils.release(),
  };
}

/** Milliseconds from the first question for a job until the last one is deleted; connecting is not counted. */
async function processAll(where, count, left) {
  let startedAt;
  const { promise: finished, resolve: finish } = Promise.withResolvers();
  let done = 0;
  const taskList = {
    noop: async () => {
      if (++done === count) finish();
    },
  };
  const runners = [];
  for (let i = 0; i < where.workers; i++) {
    const events = new EventEmitter();
    events.once('worker:getJob:start', () => {
      startedAt ??= performance.now();
    });
    runners.push(run({ preset: { worker: { ...presetFor(where), events } }, taskList, noHandleSignals: true }));
  }
  await finished;
  while ((await left()) > 0);
  const took = performance.now() - startedAt;
  for (const runner of runners) await (await runner).stop();
  return took;
}

/** Adds commands for worker processes. `drain` returns milliseconds from the last addition. */
export async function openSpawner(where) {
  const { utils, left } = await utilsFor({ ...where, slots: 1 });
  const add = (commands) => utils.addJobs(commands.map((command) => ({ identifier: 'spawn', payload: { command } })));
  return {
    run: add,
    drain: async (command, count) => {
      await add(Array(count).fill(command));
      const startedAt = performance.now();
      while ((await left()) > 0) await sleep(10);
      return performance.now() - startedAt;
    },
    close: () => utils.release(),
  };
}

if (import.meta.main) {
  const [, , url, schema, slots] = process.argv;
  const taskList = {
    spawn: async ({ command }) => {
      const [code] = await once(spawn('/bin/sh', ['-c', command], { stdio: 'ignore', detached: true }), 'exit');
      if (code !== 0) throw new Error(`exit code ${code}`);
    },
  };
  const preset = { worker: presetFor({ url, schema, slots: Number(slots) }) };
  const runner = await run({ preset, taskList, noHandleSignals: true });
  process.send('up');
  await once(process, 'disconnect');
  await runner.stop();
  process.exit();
}
