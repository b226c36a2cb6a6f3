// Programs of other versions, to test upgrades with: the previous version from the history of the repository, and the
// next one, which is made of these sources and one more migration in each store.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { installedClone, repository, temporaryFolder } from './clone.ts';

/** The last commit before the current schema: 0.1.0 with schema 11. Replace it with the commit of the latest release. */
const PREVIOUS = 'bf1bde58fb32c66d603a0190e6997151e442e6db';

export const NEXT_VERSION = '99.0.0';

/** Returns null if the history is not available, as in a shallow clone. */
export function previousClone(t: TestContext): string | null {
  const git = (...args: string[]) => spawnSync('git', ['-C', repository, ...args], { maxBuffer: 2 ** 28 });
  const archive = git(
    'archive',
    PREVIOUS,
    'bin',
    'scripts',
    'src',
    'page',
    'toolchain',
    'package.json',
    'package-lock.json',
    '.npmrc',
    'LICENSE',
  );
  if (archive.status !== 0) return null;
  const clone = path.join(temporaryFolder(t), 'previous');
  fs.mkdirSync(clone);
  execFileSync('tar', ['-x', '-C', clone], { input: archive.stdout });
  shareToolchain(clone);
  return clone;
}

/** Unless the previous version was built with other packages: then it installs its own. */
function shareToolchain(clone: string): void {
  const [theirs, ours] = [clone, repository].map((folder) => path.join(folder, 'toolchain'));
  const lock = 'package-lock.json';
  if (fs.readFileSync(`${theirs}/${lock}`, 'utf8') !== fs.readFileSync(`${ours}/${lock}`, 'utf8')) return;
  fs.symlinkSync(path.join(ours ?? '', 'node_modules'), path.join(theirs ?? '', 'node_modules'));
  fs.utimesSync(`${theirs}/${lock}`, 0, 0); // older than what is installed
}

export function nextClone(t: TestContext): string {
  const clone = installedClone(t);
  change(clone, 'package.json', /"version": "[^"]+"/, `"version": "${NEXT_VERSION}"`);
  const [all, sqlite, postgres] = ['sqlite/migrations/all.ts', 'sqlite/migrate.ts', 'postgres/migrate.ts'].map(
    (name) => `src/store/${name}`,
  ) as [string, string, string];
  const version = Number(/SCHEMA_VERSION = (\d+)/.exec(fs.readFileSync(path.join(clone, sqlite), 'utf8'))?.[1]) + 1;
  const migration = `  { version: ${version}, name: 'next', sql: () => 'ALTER TABLE jobs ADD COLUMN next_field text' },\n];`;
  change(clone, sqlite, /SCHEMA_VERSION = \d+/, `SCHEMA_VERSION = ${version}`);
  for (const list of [all, postgres]) change(clone, list, /(?<=MIGRATIONS[^;]+)\n\];/, `\n${migration}`);
  return clone;
}

function change(clone: string, file: string, before: RegExp, after: string): void {
  const name = path.join(clone, file);
  const text = fs.readFileSync(name, 'utf8');
  if (!before.test(text)) throw new Error(`${file} has changed: ${before} is not in it`);
  fs.writeFileSync(name, text.replace(before, after));
}
