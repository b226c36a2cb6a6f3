// The others: installed by name where they are missing and that is allowed, left out with a word where it is not.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const isThere = (program: string): boolean => spawnSync('which', [program]).status === 0;

/** A Debian package that brings a program. */
export function haveProgram(program: string, debianPackage: string, say: (line: string) => void): boolean {
  if (isThere(program)) return true;
  if (!isThere('apt-get') || process.getuid?.() !== 0) return false;
  say(`installing ${debianPackage}`);
  spawnSync('apt-get', ['update']);
  spawnSync('apt-get', ['install', '-y', debianPackage]);
  return isThere(program);
}

/** The folder of a peer from npm, with its packages. They are built for the Node on the PATH, which then runs it. */
export function haveNpmPeer(name: string, say: (line: string) => void): string | null {
  const folder = join(import.meta.dirname, 'peers', name);
  if (existsSync(join(folder, 'node_modules', name))) return folder;
  say(`installing ${name}, which may have to compile`);
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: folder,
  });
  return status === 0 ? folder : null;
}
