// Watching a job and ending it takes open files too. A job or a log that leaves none for that is one too many.

import { closeSync, openSync } from 'node:fs';

const SPARE_FILES = 3;

/** Throws what the system says when there are not enough. */
export function expectSpareFiles(): void {
  const opened: number[] = [];
  try {
    while (opened.length < SPARE_FILES) opened.push(openSync('/dev/null', 'r'));
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/**
 * Files that jobs take: a pipe or two each, and a log for those that go on. It is tried out when they are more than ever
 * before: as many as that have left enough already.
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
