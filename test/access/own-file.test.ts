// Files in directories where others can write: no link is followed, and no file of others is used.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makePrivateFile } from '../../src/access/private-file.ts';
import type { ConfinedStart, IsolationContext } from '../../src/isolation/isolate.ts';
import { withSecrets } from '../../src/isolation/secrets.ts';
import { ensureOwnFile, newOwnFile, openOwnFile } from '../../src/system/own-file.ts';
import { listen, touch } from '../../src/store/sqlite/wake.ts';
import { temporaryFolder } from '../support/folder.ts';

/** A file that must stay as it is, and a name that leads to it. */
function trapIn(folder: string, name: string) {
  const victim = path.join(folder, 'victim');
  fs.writeFileSync(victim, 'precious');
  fs.utimesSync(victim, 1, 1);
  const trap = path.join(folder, name);
  fs.mkdirSync(path.dirname(trap), { recursive: true });
  fs.symlinkSync(victim, trap);
  const expectUntouched = (): void => {
    assert.equal(fs.readFileSync(victim, 'utf8'), 'precious');
    assert.equal(fs.statSync(victim).mtimeMs, 1000, 'nor its time');
  };
  return { trap, expectUntouched };
}

test('a new file replaces a link', (t) => {
  const { trap, expectUntouched } = trapIn(temporaryFolder(t), 'a');
  fs.closeSync(newOwnFile(trap));
  assert.ok(fs.lstatSync(trap).isFile());
  assert.equal(fs.lstatSync(trap).mode & 0o777, 0o600);
  expectUntouched();
});

test('a file is appended to unless it is a link, not a regular file, or writable by other users', (t) => {
  const folder = temporaryFolder(t);
  const { trap, expectUntouched } = trapIn(folder, 'a');
  assert.throws(() => openOwnFile(trap), /ELOOP/);
  expectUntouched();
  const own = path.join(folder, 'own');
  fs.closeSync(openOwnFile(own));
  fs.closeSync(openOwnFile(own));
  fs.chmodSync(own, 0o666);
  assert.throws(() => openOwnFile(own), /only this user can write to/);
  fs.chmodSync(own, 0o600);
  fs.linkSync(own, `${own}2`);
  assert.throws(() => openOwnFile(own), /only this user can write to/);
  if (process.getuid?.() !== 0) return;
  fs.rmSync(`${own}2`);
  fs.chownSync(own, 65_534, 65_534);
  assert.throws(() => openOwnFile(own), /only this user can write to/);
});

test('the file that wakes workers is neither created nor modified through a link', (t) => {
  const { trap, expectUntouched } = trapIn(temporaryFolder(t), 'wake');
  ensureOwnFile(trap);
  listen(trap, () => {})();
  touch(trap);
  expectUntouched();
});

test('a private file is not written through a link that has replaced it', (t) => {
  const folder = temporaryFolder(t);
  const { expectUntouched } = trapIn(folder, `key.${process.pid}`);
  makePrivateFile(path.join(folder, 'key'), 'secret');
  expectUntouched();
  assert.equal(fs.readFileSync(path.join(folder, 'key'), 'utf8'), 'secret');
});

test('a secret in a file is not written through a link', async (t) => {
  const folder = temporaryFolder(t);
  const { trap, expectUntouched } = trapIn(folder, 'files/token');
  const vault = { valueOf: async () => Buffer.from('hunter2'), hide: () => {}, folder: path.dirname(trap) };
  const use = { name: 'token', as: 'file', variable: 'token' } as const;
  const start = { own: {}, needs: [] } as unknown as ConfinedStart;
  const { after } = await withSecrets(start, { secrets: [use] }, { vault } as unknown as IsolationContext);
  assert.equal(fs.readFileSync(trap, 'utf8'), 'hunter2');
  expectUntouched();
  await after?.({ outcome: 'completed', exitCode: 0, signal: null, error: null });
  assert.ok(!fs.existsSync(path.dirname(trap)));
});
