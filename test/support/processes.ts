// What runs on a queue of a test, by the environment that every process has from whoever started it.

import fs from 'node:fs';
import { until } from './until.ts';

interface Found {
  readonly pid: number;
  readonly command: string;
}

/** Processes that have the text in their environment: what runs on this queue, jobs and workers included. */
export function processesWith(text: string): Found[] {
  if (process.platform !== 'linux') return [];
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => hasText(pid, text))
    .map((pid) => ({ pid, command: contentOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }));
}

/** Those of them that are still there after a while. Who has been seen is watched, and then all are looked at once more. */
export async function leftAfter(text: string, deadlineMs: number): Promise<Found[]> {
  const endsAt = performance.now() + deadlineMs;
  for (;;) {
    const found = processesWith(text);
    const leftMs = endsAt - performance.now();
    if (found.length === 0 || leftMs <= 0) return found;
    const haveGone = (): boolean => found.every(({ pid }) => !hasText(pid, text));
    await until('they have gone', haveGone, leftMs).catch(() => {});
  }
}

const hasText = (pid: number, text: string): boolean => contentOf(`/proc/${pid}/environ`).includes(text);

function contentOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return ''; // it has ended meanwhile, or is not ours to look at
  }
}

export function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
