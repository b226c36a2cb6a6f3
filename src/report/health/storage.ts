// The disk of a queue: free space, size of the write-ahead log, and whether the file system has reliable locks. Opens no file
// of the database, because closing one would drop SQLite's locks.

import { statfsSync, statSync } from 'node:fs';
import type { Place } from '../../store/location.ts';

const MIB = 1024 * 1024;
const LOW_BYTES = 50 * MIB;
const LOW_SHARE = 0.01;
/** Usually it has a few MiB. This size means that something prevents checkpoints. */
const LARGE_WAL_BYTES = 256 * MIB;

export interface Disk {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Name of the network file system; null for a local one. */
  readonly network: string | null;
}

/** Network file systems by their statfs type. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
]);

/** Returns null if the directory is not accessible. */
export function diskOf(place: Place): Disk | null {
  try {
    const { bavail, blocks, bsize, type } = statfsSync(place.folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, network: NETWORK.get(type) ?? null };
  } catch {
    return null;
  }
}

export const isFull = (disk: Disk): boolean => disk.freeBytes < LOW_BYTES;
export const isLow = (disk: Disk): boolean => isFull(disk) || disk.freeBytes < disk.totalBytes * LOW_SHARE;

/** Returns 0 if there is none, as on PostgreSQL. */
export function walBytes({ file }: Place): number {
  return file === null ? 0 : (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}

export const isLargeWal = (bytes: number): boolean => bytes > LARGE_WAL_BYTES;

/** Returns a sentence for each problem that will soon prevent writing. */
export function storageTroubles(place: Place): string[] {
  const [disk, wal] = [diskOf(place), walBytes(place)];
  return [
    ...(disk && isLow(disk) ? [`${roomLeft(disk)} on the disk of ${place.folder}`] : []),
    ...(isLargeWal(wal) ? [`the write-ahead log has grown to ${size(wal)}`] : []),
  ];
}

export const roomLeft = (disk: Disk): string => `only ${size(disk.freeBytes)} left`;

export function size(bytes: number): string {
  if (bytes < MIB) return `${Math.ceil(bytes / 1024)} KiB`;
  return bytes < 1024 * MIB ? `${Math.floor(bytes / MIB)} MiB` : `${(bytes / 1024 / MIB).toFixed(1)} GiB`;
}
