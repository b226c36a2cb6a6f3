// Reads a journal (see journal.ts) that another process writes or has left behind.

import { fstatSync, readFileSync, rmSync } from 'node:fs';
import type { OutputPart } from '../../job/output/output.ts';
import { type Stamp, stampsOf } from '../../job/output/output-stamps.ts';
import { readAt, withFile } from '../../system/files.ts';

export const headFile = (path: string): string => `${path}~`;
export const tailFiles = (path: string): readonly string[] => [`${path}~0`, `${path}~1`];
export const stampsFile = (path: string): string => `${path}~stamps`;

/** A tail file begins with the offset of its first byte. */
export const HEADER_BYTES = 16;

/** Available ranges: up to `head`, and from `tailFrom` to `bytes`. */
export interface Available {
  readonly head: number;
  readonly tailFrom: number;
  readonly bytes: number;
}

/** Returns the next bytes at or after this offset, skipping dropped ones, or null if there is no journal. */
export function readJournal(path: string, from: number, length: number): OutputPart | null {
  const head = withFile(headFile(path), (fd) => readAt(fd, from, length));
  if (head === null || head.length > 0) return head && { from, data: head };
  const tails = tailsOf(path, from, length).sort((a, b) => a.from - b.from);
  return tails.find(({ data }) => data.length > 0) ?? { from, data: head };
}

function tailsOf(path: string, from: number, length: number): OutputPart[] {
  const read = (fd: number): OutputPart => {
    const start = startOf(fd);
    const at = Math.max(from, start);
    return { from: at, data: readAt(fd, HEADER_BYTES + at - start, length) };
  };
  return tailFiles(path).flatMap((file) => withFile(file, read) ?? []);
}

/** A file without a complete header has no data yet. */
function startOf(fd: number): number {
  const text = readAt(fd, 0, HEADER_BYTES).toString('latin1').trim();
  return text === '' ? Number.MAX_SAFE_INTEGER - HEADER_BYTES : Number(text);
}

/** Returns null if there is no journal. */
export function availableIn(path: string): Available | null {
  const head = withFile(headFile(path), (fd) => fstatSync(fd).size);
  if (head === null) return null;
  const tails = tailFiles(path)
    .flatMap((file) => withFile(file, rangeOf) ?? [])
    .filter(({ from, to }) => to > from)
    .sort((a, b) => a.from - b.from);
  const [older, newer] = tails;
  const tailFrom = older === undefined ? head : newer && newer.from !== older.to ? newer.from : older.from;
  return { head, tailFrom, bytes: tails.at(-1)?.to ?? head };
}

function rangeOf(fd: number): { from: number; to: number } {
  const from = startOf(fd);
  return { from, to: from + fstatSync(fd).size - HEADER_BYTES };
}

export function stampsIn(path: string): Stamp[] {
  try {
    return stampsOf(readFileSync(stampsFile(path), 'latin1'));
  } catch {
    return []; // missing times are tolerable
  }
}

export function removeJournal(path: string): void {
  for (const file of [headFile(path), ...tailFiles(path), stampsFile(path)]) rmSync(file, { force: true });
}
