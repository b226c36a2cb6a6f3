// Reads and writes cgroup files. Any of them may be missing, read-only or removed at any time.

import { readFileSync } from 'node:fs';

export const lines = (path: string): string[] => read(path).split('\n').filter(Boolean);
export const words = (path: string): string[] => read(path).split(/\s+/).filter(Boolean);

/** Returns '' if the file is unreadable. */
export function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Returns false if the work throws. Callers check the resulting state instead of the error. */
export function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
