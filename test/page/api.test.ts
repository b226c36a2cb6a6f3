// Requests use the intended path, whatever names it contains.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isKept } from '../../page/core/api.ts';

test('a name that a browser would resolve to another path is not requested', () => {
  for (const name of ['..', '.', '%2e%2e', '.%2E']) assert.equal(isKept(`/api/v1/queues/${name}/pause`), false, name);
  for (const name of ['mail', '...', 'a.b', 'a:b', 'a%2F..%2Fb', '%252e%252e'])
    assert.equal(isKept(`/api/v1/queues/${name}/pause?x=../y`), true, name);
});
