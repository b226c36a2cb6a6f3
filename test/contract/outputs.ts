// Output that the store has: parts of it at their offsets, written by who holds the lease.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_OUTPUT } from '../../src/job/output/output.ts';
import type { OutputReport, Outputs } from '../../src/store/store.ts';
import { endings } from '../support/jobs.ts';
import { type Bench, type MakeBench, policy } from './bench.ts';
import { rescue } from '../support/workers.ts';

const EVERYTHING = 10_000_000;

export function outputs(bench: MakeBench): void {
  test('output stored in pieces is read as one', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    await kept.keep([{ ...lease, from: 0, data: Buffer.from('hello ') }]);
    await kept.keep([{ ...lease, from: 6, data: Buffer.from('world') }]);
    assert.equal(await textOf(b), 'hello world');
    assert.equal(String((await kept.read('a', 1, 4, 4)).data), 'o wo');
    assert.equal(String((await kept.read('a', 1, 11, 4)).data), '');
    assert.equal(String((await kept.read('a', 1, 99, 4)).data), '');
    assert.equal(String((await kept.read('a', 1, 0, 0)).data), '');
  });

  test('storing from an offset replaces what was there, whatever the pieces were', async (t) => {
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
        assert.deepEqual(await allOf(kept, 'a', 1), expected);
        assert.deepEqual((await allOf(kept, 'a', 1, 7)).subarray(0, 9), expected.subarray(7, 16));
      }),
      { numRuns: 40 },
    );
  });

  test('large output is returned completely in any window', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    const data = Buffer.from(Array.from({ length: 700_000 }, (_, i) => (i * 31 + (i >> 8)) % 256));
    await kept.keep([{ ...lease, from: 0, data }]);
    assert.ok((await allOf(kept, 'a', 1)).equals(data));
    const { from, data: part } = await kept.read('a', 1, 262_143, 300_000);
    assert.ok(from === 262_143 && part.length > 0 && part.length <= 300_000);
    assert.ok(part.equals(data.subarray(262_143, 262_143 + part.length)));
    assert.equal((await b.store.check()).length, 0);
  });

  test('the size is the end of the last byte, whatever was dropped before it', async (t) => {
    const { kept, lease } = await running(bench, t);
    assert.equal(await kept.size('a', 1), 0);
    assert.equal(await kept.size('nobody', 1), 0);
    await kept.keep([{ ...lease, from: 0, data: Buffer.alloc(700_000, 'x') }]);
    assert.equal(await kept.size('a', 1), 700_000);
    await kept.keep([{ ...lease, from: 699_990, data: Buffer.from('end'), leftOut: { from: 10, to: 600_000 } }]);
    assert.equal(await kept.size('a', 1), 699_993);
    assert.equal(await kept.size('a', 2), 0);
  });

  test('the rest of the output is stored together with the outcome', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    await kept.keep([{ ...lease, from: 0, data: Buffer.from('one two') }]);
    const output = outputOf('three', 4);
    await b.turn({ ended: [{ ...lease, ending: endings.completed, output }] });
    assert.equal(await textOf(b), 'one three');
  });

  test('a worker that lost the lease stores nothing more', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    await kept.keep([{ ...lease, from: 0, data: Buffer.from('mine') }]);
    await rescue(b.store, 'w1', policy);
    await kept.keep([{ ...lease, from: 0, data: Buffer.from('late') }]);
    const output = outputOf('later');
    await b.turn({ ended: [{ ...lease, ending: endings.completed, output }] });
    assert.equal(await textOf(b), 'mine');
  });

  test('one lost lease does not stop other jobs from storing output', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    await b.enqueue('b');
    const other = await b.take('b');
    await b.end(lease, 'completed');
    await kept.keep([
      { ...lease, from: 0, data: Buffer.from('late') },
      { seq: other.seq, run: other.run, from: 0, data: Buffer.from('in time') },
    ]);
    assert.deepEqual([await textOf(b), await textOf(b, 'b')], ['', 'in time']);
  });

  test('each attempt has its own output', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    await kept.keep([{ ...lease, from: 0, data: Buffer.from('first') }]);
    await b.end(lease, 'released');
    const again = await b.take('a');
    await kept.keep([{ seq: again.seq, run: again.run, from: 0, data: Buffer.from('second') }]);
    assert.deepEqual([await textOf(b, 'a', 1), await textOf(b, 'a', 2)], ['first', 'second']);
  });

  test('dropped output is a gap, and reading continues after it', async (t) => {
    const { kept, lease } = await running(bench, t);
    await kept.keep([{ ...lease, from: 0, data: Buffer.from('head') }]);
    await kept.keep([{ ...lease, from: 100, data: Buffer.from('tail') }]);
    assert.deepEqual(await kept.read('a', 1, 2, 50), { from: 2, data: Buffer.from('ad') });
    assert.deepEqual(await kept.read('a', 1, 4, 2), { from: 100, data: Buffer.from('ta') });
    assert.deepEqual(await kept.read('a', 1, 104, 2), { from: 104, data: Buffer.alloc(0) });
  });

  test('output that is no longer kept is deleted', async (t) => {
    const { b, kept, lease } = await running(bench, t);
    for (const [i, word] of ['head', 'left', 'out!', 'tail'].entries())
      await kept.keep([{ ...lease, from: 4 * i, data: Buffer.from(word) }]);
    const leftOut = { from: 3, to: 13 };
    await kept.keep([{ ...lease, from: 16, data: Buffer.from(' and on'), leftOut }]);
    assert.deepEqual(await kept.read('a', 1, 4, 3), { from: 13, data: Buffer.from('ail') });
    await b.turn({ ended: [{ ...lease, ending: endings.completed, output: outputOf('!', 23) }] });
    assert.equal(await textOf(b), 'heaail and on!');
  });

  test('the location of the output is part of the history and the job', async (t) => {
    const { b, lease } = await running(bench, t);
    const record = { ...NO_OUTPUT, bytes: 9, head: 4, tail: 3, headAt: 50, tailAt: 90 };
    const stamps = [{ at: 0, ms: 1000, stream: 0 } as const, { at: 7, ms: 2500, stream: 2 } as const];
    const output = { record: { ...record, stamps }, part: null, logPath: 'elsewhere' };
    assert.deepEqual((await b.store.history('a'))[0]?.output, NO_OUTPUT);
    await b.turn({ ended: [{ ...lease, ending: endings.completed, output }] });
    const [attempt] = await b.store.history('a');
    assert.deepEqual([attempt?.output, attempt?.logPath], [{ ...record, stamps }, 'elsewhere']);
    assert.equal((await b.store.get('a'))?.logPath, 'elsewhere');
  });

  test('without a file there is no path', async (t) => {
    const { b, lease } = await running(bench, t);
    await b.turn({ ended: [{ ...lease, ending: endings.completed, output: outputOf('x') }] });
    assert.equal((await b.store.history('a'))[0]?.logPath, null);
    assert.equal((await b.store.get('a'))?.logPath, null);
    assert.deepEqual((await b.store.remove(['a'])).logPaths, []);
  });

  test('the output of an attempt that lost its worker is recorded later, and a missing one is absent', async (t) => {
    const { b, kept } = await running(bench, t);
    await kept.record('a', 1, outputOf('too early'));
    assert.equal(await textOf(b), '');
    await rescue(b.store, 'w1', policy);
    for (const [id, run] of [
      ['a', 1],
      ['a', 9],
      ['unknown', 1],
    ] as const)
      await kept.record(id, run, outputOf('output'));
    assert.deepEqual([await textOf(b), await textOf(b, 'a', 9), await textOf(b, 'unknown')], ['output', '', '']);
    assert.equal((await b.store.history('a'))[0]?.output?.bytes, 6);
  });

  test('a moved job takes its output along', async (t) => {
    const goings: [string, (b: Bench) => Promise<unknown>][] = [
      ['removed', (b) => b.store.remove(['a'])],
      ['pruned', (b) => b.store.prune({ states: ['completed'] }, 10)],
      ['reset', (b) => b.store.reset()],
    ];
    for (const [how, go] of goings) {
      const { b, kept, lease } = await running(bench, t);
      const output = outputOf('output');
      await b.turn({ ended: [{ ...lease, ending: endings.completed, output }] });
      await go(b);
      await b.enqueue('a');
      assert.equal(String((await kept.read('a', 1, 0, EVERYTHING)).data), '', how);
    }
  });
}

type TestContext = Parameters<MakeBench>[0];

/** A store that keeps outputs, and one job that runs. */
async function running(bench: MakeBench, t: TestContext) {
  const b = await bench(t);
  await b.enqueue('a');
  const { seq, run } = await b.take('a');
  return { b, kept: b.store.outputs, lease: { seq, run } };
}

const textOf = async (b: Bench, id = 'a', run = 1): Promise<string> => String(await allOf(b.store.outputs, id, run));

/** All that is kept of an output, from an offset on. */
export async function allOf(outputs: Outputs, id: string, run: number, from = 0): Promise<Buffer> {
  const found: Buffer[] = [];
  for (let at = from; ; ) {
    const part = await outputs.read(id, run, at, EVERYTHING);
    if (part.data.length === 0) return Buffer.concat(found);
    found.push(part.data);
    at = part.from + part.data.length;
  }
}

/** An output that ends with these words, all in the store. */
export const outputOf = (words: string, from = 0): OutputReport => ({
  record: { ...NO_OUTPUT, bytes: from + words.length, head: from + words.length },
  part: { from, data: Buffer.from(words) },
  logPath: null,
});
