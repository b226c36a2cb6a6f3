// Helpers for complete reads and writes of files.

import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newOwnFile } from './own-file.ts';

/** Creates a missing directory; only the owner can read the file and directory. */
export function openInFolder(path: string, flags: string): number {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, flags, 0o600);
  }
}

/** Returns an unlinked temporary file, which vanishes when it is closed. */
export function namelessFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'queuectl-'));
  try {
    return openSync(join(folder, 'nameless'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = newOwnFile(path);
  try {
    writeAll(fd, Buffer.from(text), 0);
  } finally {
    closeSync(fd);
  }
}

/** Repeats writes, because the system may accept less than it is given. */
export function writeAll(fd: number, data: Uint8Array, position: number): void {
  for (let at = 0; at < data.length; ) at += writeSync(fd, data, at, data.length - at, position + at);
}

/** Reads up to `length` bytes; fewer at the end of the file. */
export function readAt(fd: number, position: number, length: number): Buffer {
  const data = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, data, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return data.subarray(0, filled);
}

/** Returns the names in a directory; none if it does not exist or is not readable. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns null if the file does not exist. */
export function withFile<T>(path: string, work: (fd: number) => T): T | null {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}
