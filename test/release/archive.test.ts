// Archives of a release: readable with the usual tools, and the same bytes every time.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ar, tar } from '../../scripts/release/archive.ts';
import { deb } from '../../scripts/release/deb.ts';
import { temporaryFolder } from '../support/folder.ts';

const DATE = new Date('2026-11-18T00:00:00Z');
const file = (name: string, content: string, mode = 0o644) => ({ path: name, mode, content: Buffer.from(content) });

test('tar unpacks the archive with contents, modes and directories', (t) => {
  const folder = temporaryFolder(t);
  const archive = path.join(folder, 'a.tar');
  fs.writeFileSync(
    archive,
    tar([file('a/bin/run', '#!/bin/sh\n', 0o755), file('a/share/b.txt', 'x'.repeat(513))], DATE),
  );
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  assert.equal(fs.readFileSync(path.join(folder, 'a/share/b.txt'), 'utf8'), 'x'.repeat(513));
  assert.equal(fs.statSync(path.join(folder, 'a/bin/run')).mode & 0o777, 0o755);
  assert.equal(fs.statSync(path.join(folder, 'a/share/b.txt')).mtime.toISOString(), DATE.toISOString());
});

test('a tar archive lists each directory before its files', (t) => {
  const archive = path.join(temporaryFolder(t), 'a.tar');
  fs.writeFileSync(archive, tar([file('./usr/bin/b', ''), file('./usr/a', '')], DATE));
  const listed = execFileSync('tar', ['-tf', archive], { encoding: 'utf8' }).trim().split('\n');
  assert.deepEqual(listed, ['./usr/', './usr/a', './usr/bin/', './usr/bin/b']);
});

test('the order of the entries does not change the archive', () => {
  const [a, b] = [file('a', '1'), file('b', '2')];
  assert.deepEqual(tar([a, b], DATE), tar([b, a], DATE));
});

test('two Debian packages of the same program have the same bytes', async () => {
  const content = { version: '1.0.0', architecture: 'amd64', program: Buffer.from('#!/bin/sh\n'), date: DATE };
  assert.deepEqual(await deb(content), await deb(content));
});

test('a path that does not fit is rejected', () => {
  assert.throws(() => tar([file('x'.repeat(101), '')], DATE), /too long/);
});

test('ar lists the members in the given order, also after one of odd size', (t) => {
  const folder = temporaryFolder(t);
  const archive = path.join(folder, 'a.ar');
  const members = [
    { path: 'debian-binary', content: Buffer.from('2.0\n') },
    { path: 'odd', content: Buffer.from('abc') },
    { path: 'last', content: Buffer.from('end') },
  ];
  const made = ar(members, DATE);
  fs.writeFileSync(archive, made);
  assert.equal(made.subarray(0, 8).toString(), '!<arch>\n');
  const second = made.indexOf('odd');
  assert.equal(second % 2, 0, 'members start at even offsets');
  assert.equal(made.toString('latin1', second + 60, second + 63), 'abc');
  assert.equal(made.toString('latin1', made.indexOf('last') + 60, made.indexOf('last') + 63), 'end');
});
