// Files between a running job and its worker: its standard input, and the progress, result and snooze it reports. They
// are next to the attempt's log, under unique names. A job may put anything there, so only small regular files are
// read.

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn, readAt } from '../../system/files.ts';

export const progressFile = (logPath: string): string => `${logPath}~progress`;
export const resultFile = (logPath: string): string => `${logPath}~result`;
export const inputFile = (logPath: string): string => `${logPath}~stdin`;
export const retryAfterFile = (logPath: string): string => `${logPath}~retry-after`;

/** Separate directory for these files, for a job that must not see other files next to its log. */
const ownFolder = (logPath: string): string => `${logPath}~files`;

/** Only root can write there, so no other user can claim a name first. */
export const OF_OTHERS = '/run/queuectl';

/** Separate directory for a job of another user, who cannot enter the queue's directories. */
function folderOfOtherUser(logPath: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return join(OF_OTHERS, createHash('sha256').update(logPath).digest('hex').slice(0, 32));
}

/** Prefix of the file names in a separate directory. */
export const separateFiles = (logPath: string, isOtherUser: boolean): string =>
  join(isOtherUser ? folderOfOtherUser(logPath) : ownFolder(logPath), 'job');

/** Returns the directory that holds the files of other users' jobs if `folder` is in it, else null. */
export const foreignParent = (folder: string): string | null => (dirname(folder) === OF_OTHERS ? OF_OTHERS : null);

/** For an attempt whose worker is lost. */
export function removeAttemptFiles(logPath: string): void {
  for (const file of [progressFile, resultFile, retryAfterFile, inputFile]) removeSmallFile(file(logPath));
  removeFolder(ownFolder(logPath));
  if (process.getuid?.() === 0) removeFolder(folderOfOtherUser(logPath));
}

/**
 * Removes everything that a job put there, which may include secrets. In a directory of another user, nothing is
 * followed or entered, because a remaining process could redirect the removal. Subdirectories stay.
 */
export function removeFolder(folder: string): void {
  if (foreignParent(folder) === null) removeSmallFile(folder);
  else removeForeign(folder);
}

function removeForeign(folder: string): void {
  for (const name of namesIn(folder)) quietly(() => unlinkSync(join(folder, name)));
  quietly(() => rmdirSync(folder));
}

/** Ignores errors: the path does not exist, or is not empty. */
function quietly(remove: () => void): void {
  try {
    remove();
  } catch {
    // Left in place.
  }
}

let folderThatIsThere = '';

/** A job can only write its files if their directory exists. */
export function makeFolderOf(path: string): void {
  const folder = dirname(path);
  if (folder === folderThatIsThere) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    folderThatIsThere = folder;
  } catch {
    // The disk is full or read-only: the job cannot report, but can run.
  }
}

/** Changes with the content of the file. Returns null if the file does not exist. */
export function versionOf(path: string): string | null {
  if (!existsSync(path)) return null; // usual case, at a third of the cost of stat
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
}

export interface SmallFile {
  readonly bytes: number;
  /** Null if the file is larger than the limit. */
  readonly text: string | null;
}

/** Returns null if the file does not exist or is not a regular file. */
export function readSmallFile(path: string, mostBytes: number): SmallFile | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return null;
    const data = readAt(fd, 0, mostBytes + 1);
    const isWhole = data.length <= mostBytes;
    return { bytes: Math.max(stats.size, data.length), text: isWhole ? data.toString() : null };
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

export function removeSmallFile(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true }); // a job may have created a directory here
  } catch {
    // Left for the cleanup after the job.
  }
}
