// Finds files in /etc that only root can read. A sandboxed job running as root could read them too, so they are hidden.

import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

const [OTHERS_READ, OTHERS_ENTER] = [0o004, 0o001];
/**
 * Cached, because reading all of /etc takes about 20 ms and jobs may start often. A new file may stay visible this
 * long.
 */
const KEPT_MS = 5000;

let kept: { readonly paths: readonly string[]; readonly at: number } | null = null;

/** Returns the outermost real paths. Jobs of other users need no hiding, because file modes protect these files. */
export function rootOnlyPaths(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  const now = performance.now();
  if (kept === null || now - kept.at > KEPT_MS) kept = { paths: closedIn('/etc'), at: now };
  return kept.paths;
}

/** Resolves symbolic links only once and never walks through them, so that a link to a parent causes no loop. */
export function closedIn(folder: string): readonly string[] {
  const closed = new Set<string>();
  const walk = (at: string): void => {
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      const real = entry.isSymbolicLink() ? realOf(path) : path;
      const mode = real === null ? null : modeOf(real);
      if (real === null || mode === null) continue;
      if (isClosed(mode, isDirectory(mode))) closed.add(real);
      else if (entry.isDirectory()) walk(path);
    }
  };
  walk(folder);
  return [...closed];
}

const isClosed = (mode: number, isFolder: boolean): boolean =>
  (mode & OTHERS_READ) === 0 || (isFolder && (mode & OTHERS_ENTER) === 0);

const isDirectory = (mode: number): boolean => (mode & 0o170000) === 0o040000;

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

const modeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.mode ?? null;
