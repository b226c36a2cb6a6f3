// Output where every host can read it: a copy of the log, byte for byte, written by who holds the lease.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Outputs } from '../../src/store/store.ts';
import { endings } from '../support/jobs.ts';
import { type Bench, type MakeBench, policy } from './bench.ts';
import { rescue } from '../support/workers.ts';

const EVERYTHING = 10_000_000;

export function outputs(bench: MakeBench): void {
  test('what is kept piece by piece is read as one', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    await kept.keep([{ ...lease, from: 0, data: Buffer.from('hello ') }]);
    await kept.keep([{ ...lease, from: 6, data: Buffer.from('world') }]);
    assert.equal(await textOf(b), 'hello world');
    assert.equal(String(await kept.read('a', 1, 4, 4)), 'o wo');
    assert.equal(String(await kept.read('a', 1, 11, 4)), '');
    assert.equal(String(await kept.read('a', 1, 99, 4)), '');
    assert.equal(String(await kept.read('a', 1, 0, 0)), '');
  });

  test('keeping from a byte on replaces what was there, whatever the pieces were', async (t) => {
    const { kept, lease } = await running(bench, t);
    const aPiece = fc.record({ from: fc.nat(40), data: fc.uint8Array({ maxLength: 30 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(aPiece, { maxLength: 8 }), async (pieces) => {
        let expected = Buffer.alloc(0);
        await kept.keep([{ ...lease, from: 0, data: expected }]);
        for (const { from, data } of pieces) {
          const at = Math.min(from, expected.length); // a log has no gaps
          expected = Buffer.concat([expected.subarray(0, at), data]);
          await kept.keep([{ ...lease, from: at, data: Buffer.from(data) }]);
        }
        assert.deepEqual(await kept.read('a', 1, 0, EVERYTHING), expected);
        assert.deepEqual(await kept.read('a', 1, 7, 9), expected.subarray(7, 16));
      }),
      { numRuns: 40 },
    );
  });

  test('large output comes back whole, in any window', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    const data = Buffer.from(Array.from({ length: 700_000 }, (_, i) => (i * 31 + (i >> 8)) % 256));
    await kept.keep([{ ...lease, from: 0, data }]);
    assert.ok((await kept.read('a', 1, 0, EVERYTHING)).equals(data));
    assert.ok((await kept.read('a', 1, 262_143, 300_000)).equals(data.subarray(262_143, 562_143)));
    assert.equal((await b.store.check()).length, 0);
  });

  test('the rest of the output is written together with the end', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    await kept.keep([{ ...lease, from: 0, data: Buffer.from('one two') }]);
    const output = { from: 4, data: Buffer.from('three') };
    await b.turn({ ended: [{ ...lease, ending: endings.completed, output }] });
    assert.equal(await textOf(b), 'one three');
  });

  test('whoever lost the lease writes nothing any more', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    await kept.keep([{ ...lease, from: 0, data: Buffer.from('mine') }]);
    await rescue(b.store, 'w1', policy);
    await kept.keep([{ ...lease, from: 0, data: Buffer.from('late') }]);
    const output = { from: 0, data: Buffer.from('later') };
    await b.turn({ ended: [{ ...lease, ending: endings.completed, output }] });
    assert.equal(await textOf(b), 'mine');
  });

  test('a lost lease among others keeps nobody else from writing', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    await b.enqueue('b');
    const other = await b.take('b');
    await b.end(lease, 'completed');
    await kept.keep([
      { ...lease, from: 0, data: Buffer.from('late') },
      { seq: other.seq, number: other.number, from: 0, data: Buffer.from('in time') },
    ]);
    assert.deepEqual([await textOf(b), await textOf(b, 'b')], ['', 'in time']);
  });

  test('each attempt has its own', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    await kept.keep([{ ...lease, from: 0, data: Buffer.from('first') }]);
    await b.end(lease, 'released');
    const again = await b.take('a');
    await kept.keep([{ seq: again.seq, number: again.number, from: 0, data: Buffer.from('second') }]);
    assert.deepEqual([await textOf(b, 'a', 1), await textOf(b, 'a', 2)], ['first', 'second']);
  });

  test('a word can be added to the end of an attempt that is over, not to one that never was', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    await kept.keep([{ ...lease, from: 0, data: Buffer.from('output') }]);
    await rescue(b.store, 'w1', policy);
    await kept.append('a', 1, Buffer.from('; lost'));
    await kept.append('a', 9, Buffer.from('never'));
    await kept.append('unknown', 1, Buffer.from('never'));
    assert.deepEqual([await textOf(b), await textOf(b, 'a', 9)], ['output; lost', '']);
    assert.equal(await textOf(b, 'unknown'), '');
  });

  test('a job takes its output along when it goes', async (t) => {
    const goings: [string, (b: Bench) => Promise<unknown>][] = [
      ['removed', (b) => b.store.remove(['a'])],
      ['pruned', (b) => b.store.prune({ states: ['completed'] }, 10)],
      ['reset', (b) => b.store.reset()],
    ];
    for (const [how, go] of goings) {
      const { b, kept, lease } = await running(bench, t);
      const output = { from: 0, data: Buffer.from('output') };
      await b.turn({ ended: [{ ...lease, ending: endings.completed, output }] });
      await go(b);
      await b.enqueue('a');
      assert.equal(String(await kept.read('a', 1, 0, EVERYTHING)), '', how);
    }
  });
}

type TestContext = Parameters<MakeBench>[0];

/** A store that keeps outputs, and one job that runs. */
async function running(bench: MakeBench, t: TestContext) {
  const b = await bench(t);
  await b.enqueue('a');
  const { seq, number } = await b.take('a');
  return { b, kept: b.store.outputs as Outputs, lease: { seq, number } };
}

const textOf = async (b: Bench, id = 'a', number = 1): Promise<string> =>
  String(await b.store.outputs?.read(id, number, 0, EVERYTHING));
