// Keeps file descriptors in reserve for watching and stopping jobs. A start that would use them up is rejected.

import { closeSync, openSync } from 'node:fs';

const SPARE_FILES = 3;

/** Throws the system error if too few are left. */
export function expectSpareFiles(): void {
  const opened: number[] = [];
  try {
    while (opened.length < SPARE_FILES) opened.push(openSync('/dev/null', 'r'));
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/**
 * Counts file descriptors used by jobs: one or two pipes each, and a log for longer jobs. Tests for spare ones only
 * when the count exceeds its previous maximum.
 */
export const filesOfJobs = {
  count: 0,
  most: 0,
  add(): void {
    if (this.count + 1 > this.most) expectSpareFiles();
    this.count++;
    this.most = Math.max(this.most, this.count);
  },
  remove(): void {
    this.count--;
  },
};
