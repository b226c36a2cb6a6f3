// Location of the sockets of a queue's workers: a directory that other users cannot enter. Root's directory lets jobs
// of other users reach their own sockets. Socket paths are limited in length, so a deeply nested queue uses another
// location.

import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newEnvironment } from '../../job/environment/environment.ts';
import { OF_OTHERS } from '../../process/output/attempt-files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Limit on all systems: macOS has 104 bytes, Linux 108, both with a NUL at the end. */
const LONGEST_BYTES = 103;
/** Length of a worker ID and the two numbers of a lease. */
const NAME_BYTES = 32;

const BESIDE_QUEUE = 'sockets';

const isRoot = process.getuid?.() === 0;

/** `run` is the directory of this queue's worker files. */
export function socketFolder(run: string, { XDG_RUNTIME_DIR: runtime }: Environment): string {
  if (isRoot) return join(OF_OTHERS, markOf(run));
  const places = [join(run, BESIDE_QUEUE), ...(runtime ? [join(runtime, 'queuectl', markOf(run))] : [])];
  return places.find(isShort) ?? join(tmpdir(), `queuectl-${process.getuid?.()}`, markOf(run));
}

/** True if directories of other queues are next to it. */
export const isShared = (folder: string): boolean => !folder.endsWith(BESIDE_QUEUE);

/** Distinguishes the sockets of one queue from those of another. */
const markOf = (run: string): string => newEnvironment(run).hash.toString(36);

const isShort = (folder: string): boolean => Buffer.byteLength(folder) + 1 + NAME_BYTES <= LONGEST_BYTES;

/** Throws if the directory cannot be created, or if other users could replace it. */
export function makeSocketFolder(folder: string): void {
  const mode = isRoot ? 0o711 : 0o700;
  mkdirSync(folder, { recursive: true, mode });
  for (const path of [dirname(folder), folder]) expectOwn(path);
  if (isRoot) for (const path of [dirname(folder), folder]) if (modeOf(path) !== mode) chmodSync(path, mode);
}

const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

function expectOwn(path: string): void {
  const stats = lstatSync(path);
  const isOwn = stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
  if (!isOwn) throw new Error(`'${path}' is not a private directory`);
}

/** A longer path would be truncated and end up elsewhere. */
export function expectShort(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes > LONGEST_BYTES) throw new Error(`'${path}' is ${bytes} bytes long, too long for a socket`);
}
