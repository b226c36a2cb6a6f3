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

/** Installs a Debian package if the program is missing. */
export function haveProgram(program: string, debianPackage: string, say: Say): boolean {
  if (isThere(program)) return true;
  if (!isThere('apt-get') || process.getuid?.() !== 0) {
    reasons.set(program, `it is not installed, and only root could: apt-get install ${debianPackage}`);
    return false;
  }
  say(`installing ${debianPackage}`);
  spawnSync('apt-get', ['update']);
  const { stderr } = spawnSync('apt-get', ['install', '-y', debianPackage], { encoding: 'utf8' });
  if (!isThere(program)) reasons.set(program, `apt-get could not install it: ${errorIn(stderr)}`);
  return isThere(program);
}

/**
 * Returns the directory of a peer from npm, with its packages, built for the Node on the PATH. `trial` has arguments
 * that show whether the peer runs at all, which fails if it was built for another Node.
 */
export function haveNpmPeer(name: string, say: Say, trial?: readonly string[]): string | null {
  const folder = join(import.meta.dirname, 'peers', name);
  const why = installProblem(folder, name, say) ?? (trial ? trialProblem(folder, trial) : null);
  if (why === null) return folder;
  reasons.set(name, why);
  return null;
}

function installProblem(folder: string, name: string, say: Say): string | null {
  if (existsSync(join(folder, 'node_modules', name))) return null;
  say(`installing ${name}, which may have to compile`);
  const { status, stderr, error } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return status === 0 ? null : `npm could not install it: ${errorIn(stderr ?? String(error))}`;
}

function trialProblem(folder: string, trial: readonly string[]): string | null {
  const { status, stderr, error } = spawnSync('node', trial, { cwd: folder, encoding: 'utf8' });
  if (status === 0) return null;
  return `it does not run on the node on the PATH (remove ${join(folder, 'node_modules')} to build it anew): ${errorIn(stderr ?? String(error))}`;
}

/** Returns the first line about an error, else the last line. */
function errorIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^npm warn/i.test(line));
  const line = lines.find((one) => /gyp ERR! (stack|find)|error:/i.test(one)) ?? lines.at(-1);
  return line?.trim() ?? 'it did not say why';
}
