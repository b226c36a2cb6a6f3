// Whole jobs out of a store and into an empty one: as they were, in their places, and with room behind them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentOf } from '../../src/job/environment/environment.ts';
import type { OutputPart } from '../../src/job/output/output.ts';
import { newJob } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import { type Bench, type MakeBench, REACHABLE } from './bench.ts';
import { allOf } from './outputs.ts';

const ALL = 1000;

export function copying(bench: MakeBench): void {
  test('jobs in every state are copied unchanged, with their attempts', async (t) => {
    const [from, to] = [await livedIn(await bench(t)), await bench(t)];
    const copied = await from.store.copyOut(0, ALL);
    await to.store.copyIn(copied);
    assert.deepEqual(await to.store.copyOut(0, ALL), copied);
    assert.deepEqual(await to.all(), await from.all());
    for (const { id } of await from.all()) assert.deepEqual(await to.store.history(id), await from.store.history(id));
    assert.deepEqual(await to.store.overview(), await from.store.overview());
    assert.deepEqual(await to.store.check(), []);
  });

  test('jobs are copied in order and in batches', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b', 'c', 'd', 'e');
    await b.store.remove(['b']);
    const seqs = (jobs: readonly { job: { seq?: unknown } }[]): unknown[] => jobs.map(({ job }) => job.seq);
    assert.deepEqual(seqs(await b.store.copyOut(0, 2)), [1, 3]);
    assert.deepEqual(seqs(await b.store.copyOut(3, 2)), [4, 5]);
    assert.deepEqual(seqs(await b.store.copyOut(5, 2)), []);
  });

  test('a job added later gets a higher seq that no job had before', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await from.enqueue('a', 'b', 'c');
    await to.store.copyIn(await from.store.copyOut(0, ALL));
    await to.enqueue('d');
    const copied = await to.store.copyOut(0, ALL);
    assert.deepEqual(
      copied.map(({ job }) => job.id),
      ['a', 'b', 'c', 'd'],
    );
    assert.ok(Number(copied[3]?.job.seq) > 3);
  });

  test('a seq that was assigned before is not assigned again', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await from.enqueue('a');
    await to.enqueue('x', 'y', 'z');
    await to.store.reset();
    await to.store.copyIn(await from.store.copyOut(0, ALL));
    await to.enqueue('b');
    assert.ok(Number((await to.store.copyOut(1, ALL))[0]?.job.seq) > 3);
  });

  test('a taken ID or position is rejected, and nothing is copied', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await from.enqueue('a', 'b', 'c');
    const copied = await from.store.copyOut(0, ALL);
    await to.enqueue('other');
    const error = await rejection('job_exists', () => to.store.copyIn(copied));
    assert.ok(['a', 'other'].includes(String(error.details.id)));
    await to.store.remove(['other']);
    await to.enqueue('x', 'y', 'b');
    await rejection('job_exists', () => to.store.copyIn(copied));
    assert.deepEqual(await to.ids(), ['x', 'y', 'b']);
    assert.deepEqual(await to.store.check(), []);
  });

  test('schedules and their runs are copied with their environment and replace existing ones', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    const timing = { kind: 'every', everyMs: 1000, anchor: 0, zone: 'UTC' } as const;
    const rules = {
      jitterMs: 0,
      catchUp: 'one',
      catchUpWindowMs: null,
      catchUpMax: 1,
      overlap: 'allow',
    } as const;
    const given = {
      name: 's',
      spec: { timing, ...rules },
      job: { command: 'true' },
      nextAt: 5,
    };
    await from.store.schedules.add([given], environmentOf({ A: 'b' }));
    await from.store.schedules.add([{ ...given, name: 'plain', nextAt: null }], null);
    await from.store.schedules.runNow('s', newJob('made', { schedule: 's', scheduledAt: 3 }));
    await to.store.schedules.add([{ ...given, nextAt: 7 }], null);
    await to.store.copyTablesIn(await from.store.copyTablesOut());
    assert.deepEqual(await to.store.schedules.all(), await from.store.schedules.all());
    assert.deepEqual(await to.store.schedules.ticks('s', 5), await from.store.schedules.ticks('s', 5));
    await to.store.schedules.runNow('s', newJob('there', { schedule: 's', scheduledAt: 4 }));
    assert.deepEqual(await to.store.environments.ofJob('there'), { A: 'b' });
    await to.store.schedules.runNow('plain', newJob('bare', { schedule: 'plain', scheduledAt: 4 }));
    assert.equal(await to.store.environments.ofJob('bare'), null);
  });

  test('an empty list can be copied', async (t) => {
    const b = await bench(t);
    await b.store.copyIn([]);
    assert.deepEqual(await b.ids(), []);
  });

  test('a waiting job can be claimed in the target in its order', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await from.enqueue('a', newJob('urgent', { priority: 5 }));
    await from.run('a', 'failed');
    await to.store.copyIn(await from.store.copyOut(0, ALL));
    assert.deepEqual(
      (await to.claim(5)).map(({ job }) => job.id),
      ['urgent'],
    );
    to.later(2000);
    assert.equal((await to.take('a')).run, 2);
  });
}

/** One job in every state, and one with everything that is hard to write down. */
async function livedIn(b: Bench): Promise<Bench> {
  for (const state of REACHABLE) await b.jobIn(state);
  const hard = { env: { "it's": '"🦊"\n$HOME' }, backoffBase: 0.1, timeoutSeconds: 1 / 3, priority: -7 };
  await b.enqueue(newJob('hard', { ...hard, command: ['a b', `'";--`, '\\u0000 é'], runAt: b.now + 5000 }));
  return b;
}

export function copyingOutputs(bench: MakeBench): void {
  test('the output of an attempt is copied with it, whatever its size', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await from.enqueue('a', 'b');
    await from.run('a', 'completed');
    await from.run('b', 'completed');
    const written = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * 31 + (i >> 8)) % 256));
    async function* pieces(): AsyncGenerator<OutputPart> {
      for (let from = 0; from < written.length; from += 700_001)
        yield { from, data: written.subarray(from, from + 700_001) };
    }
    const copied = await from.store.copyOut(0, ALL);
    const withOutput = copied.map(({ job, attempts, ...rest }) => ({
      ...rest,
      job,
      attempts: attempts.map(({ cells }) => ({ cells, output: job.id === 'a' ? pieces : undefined })),
    }));
    await to.store.copyIn(withOutput);
    assert.ok((await allOf(to.store.outputs, 'a', 1)).equals(written));
    assert.equal((await allOf(to.store.outputs, 'b', 1)).length, 0);
  });
}
