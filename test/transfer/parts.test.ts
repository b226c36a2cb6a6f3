// The small parts of a transfer: lines with their places, outputs cut alike, ids that occur twice, environments by number.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OutputPart } from '../../src/job/output/output.ts';
import { Environments } from '../../src/transfer/environments.ts';
import { ENVIRONMENT_SLOTS, OUTPUT_LINE_BYTES } from '../../src/transfer/format.ts';
import { LineFile } from '../../src/transfer/line-file.ts';
import { chunksOf } from '../../src/transfer/output-chunks.ts';
import { hashOf, SeenIds } from '../../src/transfer/seen-ids.ts';
import { temporaryFolder } from '../support/folder.ts';

async function* inPieces(data: Buffer, sizes: readonly number[]): AsyncGenerator<OutputPart> {
  for (let [from, i] = [0, 0]; from < data.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield { from, data: data.subarray(from, from + size) };
    from += size;
  }
}

test('an output makes equal lines, however it was read', async () => {
  const data = Buffer.from(Array.from({ length: 2 * OUTPUT_LINE_BYTES + 17 }, (_, i) => i % 251));
  for (const sizes of [[data.length], [1000], [OUTPUT_LINE_BYTES], [7, 65_536]]) {
    const chunks = await Array.fromAsync(chunksOf(inPieces(data, sizes)));
    assert.deepEqual(
      chunks.map(({ from }) => from),
      [0, OUTPUT_LINE_BYTES, 2 * OUTPUT_LINE_BYTES],
    );
    assert.deepEqual(Buffer.concat(chunks.map((chunk) => chunk.data)), data);
  }
});

test('a gap in an output stays a gap', async () => {
  async function* parts(): AsyncGenerator<OutputPart> {
    yield { from: 0, data: Buffer.from('abc') };
    yield { from: 3, data: Buffer.from('de') };
    yield { from: 100, data: Buffer.from('xyz') };
  }
  const chunks = await Array.fromAsync(chunksOf(parts()));
  assert.deepEqual(
    chunks.map(({ from, data }) => [from, data.toString()]),
    [
      [0, 'abcde'],
      [100, 'xyz'],
    ],
  );
});

test('lines are found with their positions, from any position', (t) => {
  const file = path.join(temporaryFolder(t), 'lines');
  fs.writeFileSync(file, `a\n${'é'.repeat(800_000)}\n\nlast`);
  const lines = new LineFile(file);
  const found = [...lines.lines()];
  assert.deepEqual(
    found.map(({ text, isWhole }) => [text.length, isWhole]),
    [
      [1, true],
      [800_000, true],
      [0, true],
      [4, false],
    ],
  );
  const [, second, third] = found;
  assert.equal([...lines.lines(second?.from, third?.from)][0]?.text, second?.text);
  lines.close();
});

test('a duplicate ID is detected among any number', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 200 }), (ids) => {
      const seen = new SeenIds();
      for (const id of ids) seen.add(id);
      assert.equal(seen.twice().size, 0);
      seen.add(ids[0] ?? '');
      assert.ok(seen.twice().has(hashOf(ids[0] ?? '')));
    }),
  );
  const many = new SeenIds();
  for (let i = 0; i < 100_000; i++) many.add(`job-${i}`);
  assert.equal(many.twice().size, 0);
});

test('environments are numbered, and numbers are reused when all are taken', () => {
  const environments = new Environments();
  assert.deepEqual(environments.slotOf('a'), { slot: 0, isNew: true });
  assert.deepEqual(environments.slotOf('a'), { slot: 0, isNew: false });
  for (let i = 1; i < ENVIRONMENT_SLOTS; i++) environments.slotOf(`other ${i}`);
  assert.deepEqual(environments.slotOf('new'), { slot: 0, isNew: true });
  assert.deepEqual(environments.slotOf('a'), { slot: 1, isNew: true });
});
