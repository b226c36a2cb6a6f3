// The root of the repository: the check passes here, finds an unknown file, and ignores what git ignores.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { repository, run, temporaryFolder } from './clone.ts';

const check = (...args: string[]) =>
  run(process.execPath, { args: [path.join(repository, 'scripts', 'root-files.ts'), ...args] });

test('every file in the root of the repository is known', async () => {
  assert.deepEqual(await check(), { code: 0, stdout: '', stderr: '' });
});

test('the check rejects an unknown file in the root, and no other', async (t) => {
  const folder = temporaryFolder(t);
  await run('git', { args: ['init', '-q', folder] });
  fs.mkdirSync(path.join(folder, 'src'));
  for (const file of ['README.md', 'CPU.1.cpuprofile', 'notes.txt', 'src/notes.txt'])
    fs.writeFileSync(path.join(folder, file), '');
  fs.copyFileSync(path.join(repository, '.gitignore'), path.join(folder, '.gitignore'));
  const { code, stderr } = await check(folder);
  assert.match(stderr, /^notes\.txt: unknown file in the root of the repository\. .+\n$/);
  assert.equal(code, 1);
});
