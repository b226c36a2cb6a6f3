// Files between a running job and its worker: what the job is given to read, and where it says how far it is, what its
// result is and when to run it again.
// They are beside its log, under a name of their own for each attempt, so no two jobs share one. A job may put
// anything there, so nothing but a small regular file is read.

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { readAt } from '../../system/files.ts';

export const progressFile = (logPath: string): string => `${logPath}~progress`;
export const resultFile = (logPath: string): string => `${logPath}~result`;
export const inputFile = (logPath: string): string => `${logPath}~stdin`;
export const retryAfterFile = (logPath: string): string => `${logPath}~retry-after`;

/** A folder for these files alone, for a job that must not see what else is beside its log. */
const ownFolder = (logPath: string): string => `${logPath}~files`;

/** Only root can write there, so nobody else can take the name first. */
export const OF_OTHERS = '/run/queuectl';

/** The same for a job of another user, who could not get to it through the folders of the queue. */
function folderOfOtherUser(logPath: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return join(OF_OTHERS, createHash('sha256').update(logPath).digest('hex').slice(0, 32));
}

/** What the names of the files begin with where they have a folder to themselves. */
export const filesApart = (logPath: string, isOtherUser: boolean): string =>
  join(isOtherUser ? folderOfOtherUser(logPath) : ownFolder(logPath), 'job');

/** The folder that has those of other users, if this is one of them; else null. */
export const foreignParent = (folder: string): string | null =>
  dirname(folder) === OF_OTHERS ? OF_OTHERS : null;

/** For an attempt whose worker is gone. */
export function removeAttemptFiles(logPath: string): void {
  for (const file of [progressFile, resultFile, retryAfterFile, inputFile]) removeSmallFile(file(logPath));
  removeFolder(ownFolder(logPath));
  if (process.getuid?.() === 0) removeFolder(folderOfOtherUser(logPath));
}

/**
 * With all that a job has put there; its secrets may be among it. Of a folder that belongs to somebody else nothing is followed or
 * entered: there may be a process left that would like us to remove other things. What is a folder itself stays there.
 */
export function removeFolder(folder: string): void {
  if (foreignParent(folder) === null) removeSmallFile(folder);
  else removeForeign(folder);
}

function removeForeign(folder: string): void {
  for (const name of namesIn(folder)) quietly(() => unlinkSync(join(folder, name)));
  quietly(() => rmdirSync(folder));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Not there, or not empty. */
function quietly(remove: () => void): void {
  try {
    remove();
  } catch {
    // It is left alone.
  }
}

let folderThatIsThere = '';

/** A job can only write where there is a folder. */
export function makeFolderOf(path: string): void {
  const folder = dirname(path);
  if (folder === folderThatIsThere) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    folderThatIsThere = folder;
  } catch {
    // A full or read-only disk: then the job cannot say anything, and may yet run.
  }
}

export const isThere = (path: string): boolean => existsSync(path);

/** Changes when the content of the file does; null: there is no such file. */
export function versionOf(path: string): string | null {
  if (!isThere(path)) return null; // which is all for most jobs, and costs a third of the rest
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
}

export interface SmallFile {
  readonly bytes: number;
  /** null: it is larger than was asked for. */
  readonly text: string | null;
}

/** null: there is no such file, or something that is none. */
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
    rmSync(path, { force: true, recursive: true }); // a job may have made a folder of it
  } catch {
    // Left for the clean-up after the job.
  }
}
