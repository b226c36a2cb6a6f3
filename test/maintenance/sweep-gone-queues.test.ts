// Workers remove the sockets of other queues that are gone.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { sweepGoneQueues } from '../../src/maintenance/sweep-gone-queues.ts';
import { makeSocketFolder, socketFolder } from '../../src/worker/job-socket/socket-folder.ts';
import { newFolder, removeFolder } from '../support/folder.ts';

/** Leaves a socket whose process was killed. */
const LEAVE_SOCKET = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;

function makeOld(folder: string): void {
  for (const one of [...fs.readdirSync(folder).map((name) => path.join(folder, name)), folder])
    fs.lutimesSync(one, 1000, 1000);
}

test('dead sockets of other queues are removed, live ones and young ones stay', async (t) => {
  const home = newFolder();
  const runtime = newFolder();
  const environment = { XDG_RUNTIME_DIR: runtime };
  // Deeply nested, so that the sockets are not next to the queue.
  const folderOf = (name: string): string => socketFolder(path.join(home, 'deep/'.repeat(50), name), environment);
  const [gone, live, young, other] = ['gone', 'live', 'young', 'other'].map(folderOf) as [
    string,
    string,
    string,
    string,
  ];
  const server = net.createServer();
  t.after(() => {
    server.close();
    for (const folder of [home, runtime, gone, live, young, other]) removeFolder(folder);
  });
  for (const folder of [gone, live, young, other]) makeSocketFolder(folder);
  for (const folder of [gone, young])
    assert.throws(() => execFileSync(process.execPath, ['-e', LEAVE_SOCKET, path.join(folder, 'w1')]));
  await new Promise<void>((resolve) => server.listen(path.join(live, 'w2'), resolve));
  fs.writeFileSync(path.join(other, 'file'), '');
  for (const folder of [gone, live, other]) makeOld(folder);

  const own = path.join(home, 'deep/'.repeat(50), 'own');
  await sweepGoneQueues(own, environment).runOnce();
  assert.deepEqual(
    [gone, live, young, other].map((folder) => fs.existsSync(folder)),
    [false, true, true, true],
  );
  assert.deepEqual(
    [live, young, other].map((folder) => fs.readdirSync(folder)),
    [['w2'], ['w1'], ['file']],
  );
});
