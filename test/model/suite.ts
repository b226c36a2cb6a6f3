// The model suite: whatever is done to a store, in whatever order and over whichever connection, it does what a few
// plain collections would do. Give it a way to make an empty place for a queue.
// A failure prints its seed, path and replayPath; fast-check takes them back to run just that case.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { identity, type NewPlace } from '../contract/bench.ts';
import { type Connection, openAll } from './command.ts';
import { jobCommands } from './job-commands.ts';
import { Model } from './model.ts';
import { registerWorker, workerCommands } from './worker-commands.ts';
import { plainWorker } from '../support/workers.ts';

const DEFAULT_RUNS = 200;
const MAX_COMMANDS = 60;

const commands = fc.commands(
  [...jobCommands, ...workerCommands].flatMap(([times, step]) => Array.from({ length: times }, () => step)),
  { maxCommands: MAX_COMMANDS, size: 'max' },
);

export function modelSuite(name: string, newPlace: NewPlace, numRuns = DEFAULT_RUNS): void {
  test(`${name}: any sequence of operations over several connections matches the model`, async (t) => {
    const place = await newPlace();
    let model = new Model();
    const connections = await openAll(() => place.open(() => model.now));
    t.after(async () => {
      for (const { store } of connections) await store.close();
      await place.remove();
    });
    const check = fc.asyncProperty(commands, async (steps) => {
      model = new Model();
      await begin(model, connections);
      await fc.asyncModelRun(() => ({ model, real: { connections } }), steps);
      for (const { store } of connections) assert.deepEqual(await store.check(), []);
    });
    await fc.assert(check, { numRuns });
  });
}

/** As a new place would be, settings and all; and with two workers, so that jobs are run from the first step on. */
async function begin(model: Model, connections: readonly Connection[]): Promise<void> {
  for (const connection of connections) {
    const { store, staging } = connection;
    await staging?.staging.discard();
    connection.staging = null;
    await store.reset();
    for (const key of Object.keys(await store.settings())) await store.saveSetting(key, undefined);
  }
  for (const [index, { store }] of connections.slice(1).entries()) {
    await registerWorker(model, store, { ...identity(`w${index + 1}`), ...plainWorker });
  }
}
