// File modes, not names, decide what a sandbox hides in /etc.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { closedIn } from '../../src/isolation/sandbox/root-only.ts';
import { temporaryFolder } from '../support/folder.ts';

test('files and directories that only root can read are found, also through links', (t) => {
  const folder = fs.realpathSync(temporaryFolder(t));
  const etc = path.join(folder, 'etc');
  const write = (name: string, mode: number): string => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o755 });
    fs.writeFileSync(file, '');
    fs.chmodSync(file, mode);
    return file;
  };
  write('etc/open', 0o644);
  write('etc/app/open', 0o444);
  const closed = [
    write('etc/shadow', 0o640),
    write('etc/app/deep/token', 0o600),
    write('elsewhere/key', 0o400),
    path.join(etc, 'private'),
    path.join(etc, 'listed'),
  ];
  write('etc/private/open', 0o644);
  fs.chmodSync(path.join(etc, 'private'), 0o750);
  write('etc/listed/open', 0o644);
  fs.chmodSync(path.join(etc, 'listed'), 0o744);
  fs.symlinkSync(path.join(folder, 'elsewhere', 'key'), path.join(etc, 'linked'));
  fs.symlinkSync('..', path.join(etc, 'app', 'loop'));
  fs.symlinkSync('/nowhere', path.join(etc, 'dangling'));
  assert.deepEqual([...closedIn(etc)].sort(), closed.sort());
});
