// The others: installed by name where they are missing and that is allowed. Who is left out is named at the end, with the
// reason, because a table without a peer looks like one in which it was never meant to be.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

type Say = (line: string) => void;

const reasons = new Map<string, string>();

/** A sentence for each peer that could not be measured. */
export const leftOut = (): string[] => [...reasons].map(([name, why]) => `left out: ${name}: ${why}`);

const isThere = (program: string): boolean => spawnSync('which', [program]).status === 0;

/** A Debian package that brings a program. */
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
 * The folder of a peer from npm, with its packages. They are built for the Node on the PATH, which then runs it. `trial`:
 * arguments by which it shows that it can run at all, as what was built for another Node does not.
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
  const { status, stderr, error } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--no-package-lock'],
    { cwd: folder, encoding: 'utf8' },
  );
  return status === 0 ? null : `npm could not install it: ${errorIn(stderr ?? String(error))}`;
}

function trialProblem(folder: string, trial: readonly string[]): string | null {
  const { status, stderr, error } = spawnSync('node', trial, { cwd: folder, encoding: 'utf8' });
  if (status === 0) return null;
  return `it does not run on the node on the PATH (remove ${join(folder, 'node_modules')} to build it anew): ${errorIn(stderr ?? String(error))}`;
}

/** The first line that tells of an error, else the last one. */
function errorIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^npm warn/i.test(line));
  const line = lines.find((one) => /gyp ERR! (stack|find)|error:/i.test(one)) ?? lines.at(-1);
  return line?.trim() ?? 'it did not say why';
}
