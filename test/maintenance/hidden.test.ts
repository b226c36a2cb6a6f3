// A worker of another user that /proc hides from the rescuer.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/folder.ts';
import { runHiding } from '../support/hiding.ts';

test('a condemned worker hidden from this process keeps its jobs until it exits, as they cannot be stopped', (t) => {
  const { rejected, result } = runHiding(path.join(import.meta.dirname, 'hidden-child.ts'), temporaryFolder(t));
  if (rejected !== null) {
    assert.match(rejected, /not permitted|denied/, 'only root may mount');
    return;
  }
  assert.equal(result.status, 0, result.stderr);
  assert.deepEqual(JSON.parse(result.stdout), { whileHidden: 0, whenEnded: 1 });
});
