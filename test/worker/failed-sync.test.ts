// A worker whose turn was committed but failed to sync may hold jobs that the disk forgets: it stops and requeues them.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { QueueError } from '../../src/errors/errors.ts';
import type { Store } from '../../src/store/store.ts';
import { makeWorkerId, startWorker } from '../../src/worker/start-worker.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openQueue } from '../support/library.ts';
import { storeWith } from '../support/store-with.ts';
import { until } from '../support/until.ts';

/** Runs one job with a store that fails after its first claim; resolves when nothing is left to do. */
async function runWhereTurnFails(t: TestContext, command: string, failFirst: Store['turn']) {
  const queue = await openQueue(t);
  await queue.enqueue([{ id: 'a', command, max_retries: 0 }]);
  const { store, place } = queue;
  const failing = storeWith(store, {
    turn: async (turn, committed) => {
      const isFirst = turn.want > 0 && (await queue.get('a'))?.interruptions === 0;
      return isFirst ? failFirst.call(store, turn, committed) : store.turn(turn, committed);
    },
  });
  const logged: string[] = [];
  const home = { store: failing, place, overrides: { poll_interval: '0.1' }, environment: {} };
  const worker = startWorker(home, {
    id: makeWorkerId(),
    queues: null,
    concurrency: 1,
    drain: true,
    log: (line) => logged.push(line),
  });
  await worker.run();
  const job = await queue.get('a');
  return { ended: [job?.state, job?.interruptions], logged: logged.join('\n') };
}

const notSynced = (store: Store): QueueError => new QueueError('store_not_synced', { path: store.name });

const SAID = /disk failure: stopping and requeueing its jobs/;

test('a job claimed in an unacknowledged turn runs', async (t) => {
  const { ended, logged } = await runWhereTurnFails(t, 'true', async function (this: Store, turn) {
    await this.turn(turn);
    throw notSynced(this);
  });
  assert.deepEqual(ended, ['completed', 1]);
  assert.match(logged, SAID);
});

test('a job that was already started is stopped and runs again', async (t) => {
  const starts = path.join(temporaryFolder(t), 'starts');
  const command = `echo $$ >> '${starts}'; [ $(wc -l < '${starts}') = 2 ] || exec sleep 60`;
  const { ended, logged } = await runWhereTurnFails(t, command, async function (this: Store, turn, committed) {
    await this.turn(turn, committed);
    await until('it runs', () => linesOf(starts).length === 1);
    throw notSynced(this);
  });
  assert.deepEqual(ended, ['completed', 1]);
  assert.match(logged, SAID);
  const [first] = linesOf(starts);
  assert.throws(() => process.kill(Number(first), 0), { code: 'ESRCH' });
});

const linesOf = (file: string): string[] =>
  fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
