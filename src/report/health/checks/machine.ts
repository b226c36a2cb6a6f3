// Checks of the machine: the program and its Node, how commands are started, the disk, the write-ahead log.

import type { Place } from '../../../store/location.ts';
import { canStartInThread } from '../../../process/spawn/posix-spawn.ts';
import { diskOf, isFull, isLargeWal, isLow, roomLeft, size, walBytes } from '../storage.ts';
import { type Check, fail, ok, warn } from './verdict.ts';

const OLDEST_NODE = 24;

export function checkInstallation(version: string): Check {
  const message = `queuectl ${version} on Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  return Number.parseInt(process.versions.node, 10) >= OLDEST_NODE
    ? ok('installation', message)
    : fail('installation', message, `queuectl needs Node ${OLDEST_NODE} or newer: https://nodejs.org`);
}

/** Both ways do the same; one of them starts half as many commands a second. */
export const checkCommands = (isInThread: boolean = canStartInThread()): Check =>
  isInThread
    ? ok('commands', 'commands are started by posix_spawn in a thread')
    : ok(
        'commands',
        "commands are started by Node's own spawn, which is slower",
        'Node 26 on 64-bit Linux has a faster way',
      );

const MAKE_ROOM = 'free some space: queuectl prune removes finished jobs and their logs';

export async function checkDisk(place: Place): Promise<Check> {
  const disk = diskOf(place);
  if (!disk && (place.file === null || !place.isNamed)) return ok('disk', 'no files on this machine yet');
  if (!disk) return warn('disk', `${place.folder} cannot be asked for its free space`);
  if (disk.network && place.file !== null) {
    const message = `the queue is on a network file system (${disk.network}), where locks cannot be trusted`;
    return warn('disk', message, 'move it to a local disk: --db or QUEUECTL_DB');
  }
  if (isFull(disk)) return fail('disk', roomLeft(disk), MAKE_ROOM);
  if (isLow(disk)) return warn('disk', `${roomLeft(disk)} of ${size(disk.totalBytes)}`, MAKE_ROOM);
  return ok('disk', `${size(disk.freeBytes)} free of ${size(disk.totalBytes)}`);
}

export async function checkWal(place: Place): Promise<Check> {
  if (place.file === null) return ok('wal', 'the server keeps its own');
  const bytes = walBytes(place);
  if (!isLargeWal(bytes)) return ok('wal', `the write-ahead log is small: ${size(bytes)}`);
  const hint = 'a program that reads the database for long keeps it from shrinking: find and end it';
  return warn('wal', `the write-ahead log has grown to ${size(bytes)}`, hint);
}
