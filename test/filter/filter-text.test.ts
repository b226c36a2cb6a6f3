// A filter as text is the same filter when it is read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseFilter } from '../../src/filter/filter.ts';
import { filterText } from '../../src/filter/filter-text.ts';
import { STATES } from '../../src/job/job.ts';
import type { JobFilter } from '../../src/store/port/list.ts';

const NOW = 1_800_000_000_000;
const texts = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 });
const ages = fc.integer({ min: 0, max: 10_000_000 }).map((ms) => NOW - ms);

const words: fc.Arbitrary<JobFilter> = fc.oneof(
  fc.record({ states: fc.uniqueArray(fc.constantFrom(...STATES), { minLength: 1 }) }),
  fc.constantFrom('queue', 'group', 'tag', 'key', 'schedule', 'name', 'id').chain((field) => {
    return texts.map((values) => ({ [field]: values }));
  }),
  texts.filter((values) => !values.some((one) => one.startsWith('err-'))).map((error) => ({ error })),
  fc.record({ fingerprint: fc.constant(['err-4sgxshx9']) }),
  fc.string({ minLength: 1 }).map((search) => ({ search: [search] })),
  fc.record({ held: fc.boolean() }),
  fc.record({ before: ages }),
  fc.record({ since: ages }),
);

test('any filter survives formatting and parsing', () => {
  fc.assert(
    fc.property(fc.array(words, { minLength: 2, maxLength: 4 }), (and) => {
      assert.equal(JSON.stringify(parseFilter(filterText({ and }, NOW), NOW)), JSON.stringify({ and }));
    }),
  );
});

test('an empty filter has no text', () => {
  assert.equal(filterText({}, NOW), '');
});
