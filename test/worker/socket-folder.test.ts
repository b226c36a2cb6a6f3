// The location of worker sockets.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { expectShort, makeSocketFolder, socketFolder } from '../../src/worker/job-socket/socket-folder.ts';
import { newFolder, removeFolder } from '../support/folder.ts';

const isRoot = process.getuid?.() === 0;
const LONGEST_NAME = 'w1234567.4294967295.4294967295';

for (const depth of [1, 20, 200])
  test(`the path of a socket is short enough at a depth of ${depth} directories`, () => {
    const run = path.join('/home/ann', 'deeper/'.repeat(depth), 'run/queue.db');
    const folder = socketFolder(run, {});
    expectShort(path.join(folder, LONGEST_NAME));
    assert.notEqual(socketFolder(`${run}-2`, {}), folder, 'each queue has its own');
    if (isRoot) assert.match(folder, /^\/run\/queuectl\//);
    else if (depth === 1) assert.equal(folder, path.join(run, 'sockets'));
    else assert.match(socketFolder(run, { XDG_RUNTIME_DIR: '/run/user/7' }), /^\/run\/user\/7\/queuectl\//);
  });

test('a path that is too long is rejected, not truncated', () => {
  assert.throws(() => expectShort(`/${'x'.repeat(103)}`), /is 104 bytes long, too long for a socket/);
});

test('a directory that others can write to is not used, nor a link to one', (t) => {
  const folder = newFolder();
  t.after(() => removeFolder(folder));
  const parent = path.join(folder, 'parent');
  fs.mkdirSync(parent);
  makeSocketFolder(path.join(parent, 'own'));
  assert.equal(fs.statSync(path.join(parent, 'own')).mode & 0o077, isRoot ? 0o011 : 0);
  fs.symlinkSync(path.join(parent, 'own'), path.join(parent, 'link'));
  assert.throws(() => makeSocketFolder(path.join(parent, 'link')), /is not a private directory/);
  fs.chmodSync(parent, 0o777);
  assert.throws(() => makeSocketFolder(path.join(parent, 'new')), /is not a private directory/);
});
