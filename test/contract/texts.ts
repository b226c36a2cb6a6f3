// Recipes and secrets are kept as they are given, by name.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NamedText, Texts } from '../../src/store/store.ts';
import { T0 } from '../support/jobs.ts';
import type { MakeBench } from './bench.ts';

const entry = (name: string, more: Partial<NamedText> = {}): NamedText => ({
  name,
  text: `text of ${name} "'; -- 🎉`,
  createdAt: T0,
  createdBy: 'ann@host',
  ...more,
});

export function texts(bench: MakeBench): void {
  for (const table of ['recipes', 'secrets'] as const satisfies (keyof Texts)[]) {
    test(`${table} are added once, replaced only explicitly, and deleted`, async (t) => {
      const b = await bench(t);
      const own = b.store.texts[table];
      assert.equal(await own.save(entry('b'), false), true);
      assert.equal(await own.save(entry('a'), true), true);
      assert.equal(await own.save(entry('a', { text: 'other' }), false), false);
      const other = (await b.open()).texts[table];
      assert.deepEqual(await other.all(), [entry('a'), entry('b')]);
      const newer = entry('a', { text: 'newer', createdAt: T0 + 1, createdBy: 'bob@host' });
      assert.equal(await other.save(newer, true), true);
      assert.deepEqual([await own.get('a'), await own.get('c')], [newer, null]);
      assert.deepEqual([await own.remove('a'), await own.remove('a')], [true, false]);
      assert.deepEqual(await other.all(), [entry('b')]);
    });

    test(`of two clients that set one entry of ${table} at once, one wins completely`, async (t) => {
      const b = await bench(t);
      const [own, other] = [b.store.texts[table], (await b.open()).texts[table]];
      const [one, two] = [entry('x', { text: 'one' }), entry('x', { text: 'two', createdAt: T0 + 1 })];
      assert.deepEqual(await Promise.all([own.save(one, true), other.save(two, true)]), [true, true]);
      const kept = await own.get('x');
      assert.deepEqual(kept, kept?.text === 'one' ? one : two);
      const added = await Promise.all([
        own.save(entry('y'), false),
        other.save(entry('y', { createdBy: 'bob' }), false),
      ]);
      assert.deepEqual(added.sort(), [false, true]);
    });
  }
}
