// The standard input of a job: the file given with --stdin, or data piped into `run`.

import { fstatSync } from 'node:fs';
import { STDIN_MAX_BYTES, stdinTooLarge } from '../../job/input/stdin.ts';
import { readBounded } from './bounded-input.ts';
import type { Terminal } from '../terminal.ts';

const SAY_AFTER_MS = 2000;

export async function stdinFrom(path: string): Promise<Uint8Array> {
  const data = await readBounded(path, STDIN_MAX_BYTES);
  if (data === null) throw stdinTooLarge();
  return data;
}

/**
 * Returns the data piped into this command, or null. Terminals, devices and sockets are not read, because they may stay
 * open forever, for example under ssh.
 */
export async function pipedStdin(terminal: Terminal): Promise<Uint8Array | null> {
  if (!isPiped()) return null;
  const timer = setTimeout(() => {
    terminal.notice('reading standard input for the job; to pass none, use < /dev/null');
  }, SAY_AFTER_MS);
  try {
    const data = await stdinFrom('-');
    return data.length === 0 ? null : data;
  } finally {
    clearTimeout(timer);
  }
}

function isPiped(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isFile();
  } catch {
    return false; // closed
  }
}
