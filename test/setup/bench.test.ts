// How the benchmark takes rounds and reports rows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMATS } from '../../bench/report.ts';
import { atLeast, type Bench, type Row } from '../../bench/row.ts';
import { type Result, runBench } from '../../bench/runner.ts';

const row: Row = {
  measure: 'a row',
  against: 'a peer',
  unit: '/s',
  target: atLeast(1),
  durable: 'both',
  ours: () => 30,
  peer: 10,
};

async function run(rows: readonly Partial<Row>[], rounds?: number): Promise<Result[]> {
  const results: Result[] = [];
  const bench: Bench = {
    name: 'fake',
    summary: 'a fake',
    on: 'SQLite',
    rows: async function* () {
      for (const one of rows) yield { ...row, ...one };
      if (rows.length === 0) throw new Error('no preparation');
    },
  };
  await runBench(
    bench,
    rounds,
    () => {},
    (result) => results.push(result),
  );
  return results;
}

test('both sides of a row take turns, a warm-up does not count, and the median has its range', async () => {
  const order: string[] = [];
  const sample = (side: string, values: number[]) => () => {
    order.push(side);
    return values.shift() ?? Number.NaN;
  };
  const ours = sample('ours', [9999, 40, 20, 30]);
  const peer = sample('peer', [9999, 10, 20, 15]);
  const [result] = await run([{ ours, peer, warmUp: true }], 3);
  assert.deepEqual(order, ['ours', 'peer', 'ours', 'peer', 'ours', 'peer', 'ours', 'peer']);
  assert.equal(result?.ours, '30/s (20 to 40)');
  assert.equal(result?.peer, '15/s (10 to 20)');
  assert.equal(result?.compared, 2);
  assert.equal(result?.reached, true);
});

test('a row that fails reports its error, and the next rows are measured', async () => {
  const ours = (): never => {
    throw new Error('no disk');
  };
  const [failed, next] = await run([{ ours }, {}], 1);
  assert.equal(failed?.error, 'no disk');
  assert.equal(next?.compared, 3);
});

test('a benchmark whose preparation fails is reported by its summary', async () => {
  const [result] = await run([]);
  assert.deepEqual(result, { bench: 'fake', measure: 'a fake', error: 'no preparation' });
});

test('a Markdown row has as many cells as the head, also if it failed', async () => {
  const [good] = await run([{}], 1);
  const cells = (line: string | undefined): number => (line ?? '').split(' | ').length;
  const { head, row: format } = FORMATS.markdown;
  const [titles] = head.split('\n');
  assert.equal(cells(format(good as Result)), cells(titles));
  assert.equal(cells(format({ bench: 'fake', measure: 'a fake', error: 'no disk' })), cells(titles));
});
