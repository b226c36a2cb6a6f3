// Checks of the machine: program and Node version, starter of commands, disk, write-ahead log.

import { type Build, buildText } from '../../../system/build.ts';
import type { Place } from '../../../store/location.ts';
import { canStartInThread } from '../../../process/spawn/posix-spawn.ts';
import { diskOf, isFull, isLargeWal, isLow, roomLeft, size, walBytes } from '../storage.ts';
import { type Check, fail, ok, warn } from './verdict.ts';

const OLDEST_NODE = 24;

export function checkInstallation(build: Build): Check {
  const message = `queuectl ${buildText(build)} on Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  return Number.parseInt(process.versions.node, 10) >= OLDEST_NODE
    ? ok('installation', message)
    : fail('installation', message, `install Node ${OLDEST_NODE} or newer: https://nodejs.org`);
}

/** Both starters behave the same, but one is half as fast. */
export const checkCommands = (isInThread: boolean = canStartInThread()): Check =>
  isInThread
    ? ok('commands', 'commands start through posix_spawn in a thread')
    : ok(
        'commands',
        "commands start through Node's spawn, which is slower",
        'use Node 26 on 64-bit Linux to start commands faster',
      );

const MAKE_ROOM = 'free some disk space: queuectl prune deletes finished jobs and their logs';

export async function checkDisk(place: Place): Promise<Check> {
  const disk = diskOf(place);
  if (!disk && (place.file === null || !place.isNamed)) return ok('disk', 'no files on this host yet');
  if (!disk) return warn('disk', `cannot determine the free space of ${place.folder}`);
  if (disk.network && place.file !== null) {
    const message = `the database is on a network file system (${disk.network}), where file locks are unreliable`;
    return warn('disk', message, 'move the database to a local disk: --db or QUEUECTL_DB');
  }
  if (isFull(disk)) return fail('disk', roomLeft(disk), MAKE_ROOM, 'queuectl prune');
  if (isLow(disk)) return warn('disk', `${roomLeft(disk)} of ${size(disk.totalBytes)}`, MAKE_ROOM, 'queuectl prune');
  return ok('disk', `${size(disk.freeBytes)} free of ${size(disk.totalBytes)}`);
}

export async function checkWal(place: Place): Promise<Check> {
  if (place.file === null) return ok('wal', 'managed by the PostgreSQL server');
  const bytes = walBytes(place);
  if (!isLargeWal(bytes)) return ok('wal', `the write-ahead log is small: ${size(bytes)}`);
  const hint = 'find and stop the program that keeps a long read transaction open';
  return warn('wal', `the write-ahead log has grown to ${size(bytes)}`, hint, 'queuectl doctor');
}
