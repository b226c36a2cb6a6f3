// A job whose working directory is closed to whoever runs it.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { newQueue } from './support.ts';

test('the error names a working directory that cannot be entered, not the program', async (t) => {
  const queue = newQueue(t);
  const closed = path.join(queue.folder, 'closed');
  for (const [folder, mode] of [
    [queue.home, 0o777],
    [closed, 0],
  ] as const) {
    fs.mkdirSync(folder);
    fs.chmodSync(folder, mode);
  }
  fs.chmodSync(queue.folder, 0o755);
  const { code, stderr } = await queue.run(['run', '--max-retries', '0', '--cwd', closed, 'true'], {
    unprivileged: true,
  });
  assert.equal(code, 126, stderr);
  assert.match(stderr, /could not start: the working directory '.*closed' is not accessible/);
});
