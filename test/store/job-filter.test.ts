// Filters as data: which of them the counters can answer, so that none is ever passed over in silence.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { FILTERS } from '../../src/store/sql/filters.ts';
import { conditionsOf, isCounted, isNewestPerState } from '../../src/store/sql/job-filter.ts';
import { initial } from '../../src/store/sqlite/migrations/0001-initial.ts';
import type { JobFilter, ListQuery } from '../../src/store/store.ts';

const given: Required<Omit<JobFilter, 'and'>> = {
  states: ['dead'],
  queue: 'mail',
  group: 'g',
  tag: ['a', 'b'],
  key: 'k',
  schedule: 's',
  name: 'n',
  held: true,
  id: 'k3',
  fingerprint: 'err-12345678',
  error: ['no such file', 'timeout'],
  search: 'text',
  before: 2000,
  since: 1000,
};
const names = Object.keys(FILTERS) as (keyof typeof given)[];
const newest: ListQuery = { sort: 'created', descending: true, limit: 10 };

for (const name of names) {
  const { isCounted: hasCounter } = FILTERS[name];
  test(`${name} is ${hasCounter ? '' : 'not '}answered from the counters, by itself or with others`, () => {
    assert.equal(isCounted({ [name]: given[name] }), hasCounter);
    assert.equal(isNewestPerState({ ...newest, [name]: given[name] }), hasCounter);
    if (!hasCounter) assert.equal(isNewestPerState({ ...newest, ...given }), false);
  });

  test(`${name} is a condition if it is given, and none otherwise`, () => {
    assert.deepEqual(conditionsOf({}), []);
    assert.deepEqual(conditionsOf({ [name]: given[name] }), [{ ...FILTERS[name], values: [given[name]].flat() }]);
  });
}

test('the counters have a column for every counted filter', () => {
  const db = new DatabaseSync(':memory:');
  db.exec(initial.sql(''));
  const columns = db
    .prepare('PRAGMA table_info(counters)')
    .all()
    .map(({ name }) => name);
  db.close();
  for (const name of names.filter((one) => FILTERS[one].isCounted))
    for (const column of FILTERS[name].columns) assert.ok(columns.includes(column), column);
});

test('a list in another order, or of all jobs, is not taken from the newest few', () => {
  assert.equal(isNewestPerState(newest), true);
  assert.equal(isNewestPerState({ ...newest, sort: 'priority' }), false);
  assert.equal(isNewestPerState({ ...newest, limit: null }), false);
});

test('an empty search text matches every job', () => {
  assert.deepEqual(conditionsOf({ search: '' }), []);
});

test('a nested filter is one more condition, and limits what the counters can answer', () => {
  const both = { states: ['dead'], and: [{ queue: 'mail' }, { states: ['failed'] }] } as const;
  assert.deepEqual(
    conditionsOf(both).map(({ columns, values }) => [...columns, ...values]),
    [
      ['state', 'dead'],
      ['queue', 'mail'],
      ['state', 'failed'],
    ],
  );
  assert.equal(isCounted(both), true);
  assert.equal(isCounted({ ...both, and: [{ and: [{ error: 'x' }] }] }), false);
});
