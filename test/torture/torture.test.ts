// Random faults, of every kind; longer runs are made by hand. A seed that ever fails becomes a test of its own here.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe, torture } from '../../torture/run.ts';

const SECONDS = 18;

test('a tortured queue loses no job, and runs none twice at once, too early or beyond a limit', async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  t.diagnostic(`to repeat: npm run torture -- --minutes ${SECONDS / 60} --seed ${seed}`);
  const report = await torture(SECONDS, seed, () => {});
  t.diagnostic(describe(report));
  assert.deepEqual(report.problems, []);
});
