// The tools to compare with, installed if missing and allowed. Skipped ones are listed at the end with the reason, so
// that a missing peer is not mistaken for one that was never intended.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

type Say = (line: string) => void;

const reasons = new Map<string, string>();

/** Returns a sentence for each peer that could not be measured. */
export const leftOut = (): string[] => [...reasons].map(([name, why]) => `left out: ${name}: ${why}`);

const isThere = (program: string): boolean => spawnSync('which', [program]).status === 0;

export function skipped(name: string, why: string): void {
  reasons.set(name, why);
}

/** Installs a Debian package if the program is missing. */
export function haveProgram(program: string, debianPackage: string | undefined, say: Say): boolean {
  if (isThere(program)) return true;
  if (debianPackage === undefined || !isThere('apt-get') || process.getuid?.() !== 0) {
    skipped(program, debianPackage ? `it is not installed; apt-get install ${debianPackage}` : 'it is not installed');
    return false;
  }
  say(`installing ${debianPackage}`);
  spawnSync('apt-get', ['update']);
  const { stderr } = spawnSync('apt-get', ['install', '-y', debianPackage], { encoding: 'utf8' });
  if (!isThere(program)) skipped(program, `apt-get could not install it: ${errorIn(stderr)}`);
  return isThere(program);
}

/** Returns the directory of a peer from npm with its packages, or null. */
export function haveNpmPeer(name: string, say: Say, flags: readonly string[] = []): string | null {
  const folder = join(import.meta.dirname, 'peers', name);
  if (existsSync(join(folder, 'node_modules', name))) return folder;
  say(`installing ${name}`);
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', ...flags];
  const { status, stderr, error } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  if (status === 0) return folder;
  skipped(name, `npm could not install it: ${errorIn(stderr ?? String(error))}`);
  return null;
}

/** Returns the first line about an error, else the last line. */
function errorIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^npm warn/i.test(line));
  const line = lines.find((one) => /gyp ERR! (stack|find)|error:/i.test(one)) ?? lines.at(-1);
  return line?.trim() ?? 'it did not say why';
}
