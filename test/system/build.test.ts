// What a program knows about itself: the commit of its clone, read without git, and its version as a text.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { buildText, fullVersion, isSameBuild } from '../../src/system/build.ts';
import { commitOf } from '../../src/system/commit.ts';
import { temporaryFolder } from '../support/folder.ts';

const COMMIT = '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d';
const OTHER = 'f'.repeat(40);

describe('the commit of a clone', () => {
  const cloneWith = (t: Parameters<typeof temporaryFolder>[0], files: Readonly<Record<string, string>>): string => {
    const clone = temporaryFolder(t);
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(clone, name)), { recursive: true });
      fs.writeFileSync(path.join(clone, name), `${text}\n`);
    }
    return clone;
  };

  test('is that of the branch, in a file of its own or packed', (t) => {
    const head = { '.git/HEAD': 'ref: refs/heads/a/b' };
    const packed = {
      ...head,
      '.git/packed-refs': `# pack-refs with: peeled\n${OTHER} refs/heads/b\n${COMMIT} refs/heads/a/b`,
    };
    assert.equal(commitOf(cloneWith(t, { ...head, '.git/refs/heads/a/b': COMMIT })), COMMIT);
    assert.equal(commitOf(cloneWith(t, packed)), COMMIT);
    assert.equal(commitOf(cloneWith(t, { ...packed, '.git/refs/heads/a/b': OTHER })), OTHER, 'the file is newer');
  });

  test('is the one that is checked out without a branch', (t) => {
    assert.equal(commitOf(cloneWith(t, { '.git/HEAD': COMMIT })), COMMIT);
  });

  test('is found from a worktree', (t) => {
    const clone = cloneWith(t, {
      'main/.git/worktrees/one/HEAD': 'ref: refs/heads/one',
      'main/.git/worktrees/one/commondir': '../..',
      'main/.git/refs/heads/one': COMMIT,
      'one/.git': 'gitdir: ../main/.git/worktrees/one',
    });
    assert.equal(commitOf(path.join(clone, 'one')), COMMIT);
  });

  test('is null where there is none', (t) => {
    assert.equal(commitOf(cloneWith(t, {})), null);
    assert.equal(commitOf(cloneWith(t, { '.git/HEAD': 'ref: refs/heads/main' })), null, 'no commit yet');
    assert.equal(commitOf(cloneWith(t, { '.git/HEAD': 'nonsense' })), null);
  });
});

test('a build is described with its commit, if that is known', () => {
  const build = { version: '1.2.3', commit: COMMIT, installation: 'deb' } as const;
  assert.equal(buildText(build), '1.2.3 (commit 1a2b3c4, deb)');
  assert.equal(buildText({ ...build, commit: null }), '1.2.3 (deb)');
  assert.equal(fullVersion(build), '1.2.3+1a2b3c4');
  assert.equal(fullVersion({ ...build, commit: null }), '1.2.3');
});

test('two builds are the same if neither version nor known commit differs', () => {
  assert.ok(isSameBuild('1.2.3+1a2b3c4', '1.2.3+1a2b3c4'));
  assert.ok(isSameBuild('1.2.3+1a2b3c4', '1.2.3'));
  assert.ok(isSameBuild('1.2.3', '1.2.3'));
  assert.ok(!isSameBuild('1.2.3+1a2b3c4', '1.2.3+fffffff'));
  assert.ok(!isSameBuild('1.2.3', '1.2.4'));
  assert.ok(!isSameBuild('1.2.3+1a2b3c4', '1.2.4+1a2b3c4'));
});
