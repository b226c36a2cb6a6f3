// Random faults on PostgreSQL, of every kind. A seed that ever fails becomes a test of its own here.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe, torture } from '../../torture/run.ts';

const SECONDS = 15;

test('a tortured queue on PostgreSQL loses no job, and runs none twice at once, too early or beyond a limit', async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  t.diagnostic(`to repeat: npm run torture -- --minutes ${SECONDS / 60} --seed ${seed} --db embedded`);
  const report = await torture(SECONDS, seed, () => {}, 'embedded');
  t.diagnostic(describe(report));
  assert.deepEqual(report.problems, []);
});
