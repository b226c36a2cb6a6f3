// Reading and writing the files of control groups, where any of them may be missing, refuse or go away at any moment.

import { readFileSync } from 'node:fs';

export const lines = (path: string): string[] => read(path).split('\n').filter(Boolean);
export const words = (path: string): string[] => read(path).split(/\s+/).filter(Boolean);

/** '' where there is nothing to read. */
export function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Whether it worked. What the kernel refuses here is decided elsewhere, from what is there afterwards. */
export function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
