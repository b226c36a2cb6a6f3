// Tests what a sandbox hides in the user's home directory, wherever that is.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { ownHome, ownName } from '../../src/isolation/account.ts';
import { viewOf } from '../../src/isolation/sandbox/sandbox-view.ts';
import { sandboxProfiles } from '../../src/job/isolation/sandbox-profile.ts';
import { temporaryFolder } from '../support/folder.ts';

test('keys are hidden in the home directory of the account and in HOME', (t) => {
  const folder = fs.realpathSync(temporaryFolder(t));
  const homes = ['account', 'variable'].map((name) => path.join(folder, name));
  for (const home of homes) fs.mkdirSync(path.join(home, '.ssh'), { recursive: true });
  const [home = '', otherHome = ''] = homes;
  const profile = sandboxProfiles(null).readonly;
  assert.ok(profile);
  const view = viewOf({ profile, cwd: null, home, otherHome, needs: [], kept: [] });
  for (const one of homes)
    assert.ok(
      view.some(({ at, as }) => at === path.join(one, '.ssh') && as === 'hidden'),
      one,
    );
});

test('a user without an account, as in containers, has its home directory in HOME', () => {
  const none = () => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  };
  assert.deepEqual([ownHome(none), ownName(none)], [os.homedir(), String(process.getuid?.())]);
  assert.deepEqual([ownHome(), ownName()], [os.userInfo().homedir, os.userInfo().username]);
});
