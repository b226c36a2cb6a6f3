// Who did what: in its order, page by page, and no more than is wanted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActivityEntry } from '../../src/store/store.ts';
import { T0 } from '../support/jobs.ts';
import type { MakeBench } from './bench.ts';

const entry = (target: string | null, more: Partial<ActivityEntry> = {}): ActivityEntry => ({
  at: T0,
  actor: 'ann@host',
  via: 'cli',
  action: 'cancel',
  target,
  detail: null,
  ...more,
});

export function activity(bench: MakeBench): void {
  test('audit entries are stored as given, newest first', async (t) => {
    const b = await bench(t);
    const { activity } = b.store;
    const told = [
      entry('a'),
      entry(null, { via: 'http', actor: 'Zoë "x"', action: 'reset', detail: { jobs: 3, words: ['é\n'] } }),
    ];
    for (const one of told) await activity.record(one);
    const found = await (await b.open()).activity.list(10);
    assert.deepEqual(
      found.map(({ seq: _, ...one }) => one),
      told.toReversed(),
    );
  });

  test('audit entries are read in pages', async (t) => {
    const { activity } = (await bench(t)).store;
    for (const target of ['a', 'b', 'c']) await activity.record(entry(target));
    const first = await activity.list(2);
    const rest = await activity.list(2, first.at(-1)?.seq);
    assert.deepEqual(
      [...first, ...rest].map(({ target }) => target),
      ['c', 'b', 'a'],
    );
    assert.deepEqual(await activity.list(2, rest.at(-1)?.seq), []);
  });

  test('only the newest audit entries are kept, also after a reset of the jobs', async (t) => {
    const { store } = await bench(t);
    assert.equal(await store.activity.forget(2), 0);
    for (const target of ['a', 'b', 'c', 'd']) await store.activity.record(entry(target));
    await store.reset();
    assert.equal(await store.activity.forget(3), 1);
    assert.deepEqual(
      (await store.activity.list(10)).map(({ target }) => target),
      ['d', 'c', 'b'],
    );
  });
}
