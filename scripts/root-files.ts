// Rejects unknown files in the root of the repository, such as profiles and editor leftovers. Part of `npm run lint`.
// Ignored files do not count.

import { spawnSync } from 'node:child_process';
import path from 'node:path';

const KNOWN = [
  '.editorconfig', '.gitattributes', '.gitignore', '.node-version', '.npmrc', 'ARCHITECTURE.md', 'CHANGELOG.md',
  'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'THIRD-PARTY-LICENSES', 'biome.json', 'package-lock.json', 'package.json',
  'tsconfig.json',
]; // biome-ignore format: a list of words

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const git = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ':(glob)*'], {
  cwd: root,
  encoding: 'utf8',
});
if (git.status !== 0) throw new Error(`git could not list the files: ${git.stderr ?? git.error?.message}`);
const unknown = git.stdout.split('\n').filter((name) => name !== '' && !KNOWN.includes(name));
for (const name of unknown)
  console.error(
    `${name}: unknown file in the root of the repository. Move, ignore or delete it, or list it in scripts/root-files.ts`,
  );
process.exitCode = unknown.length > 0 ? 1 : 0;
