// The disk beneath a queue: how much room is left, how large the write-ahead log is, whether locks can be trusted.
// Everything is asked by name; no file of the database is opened, because closing it would drop SQLite's locks.

import { statfsSync, statSync } from 'node:fs';
import type { Place } from '../../store/location.ts';

const MIB = 1024 * 1024;
const LOW_BYTES = 50 * MIB;
const LOW_SHARE = 0.01;
/** Normally it is a few MiB; this much means that something keeps it from being written back. */
const LARGE_WAL_BYTES = 256 * MIB;

export interface Disk {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** The name of the network file system, or null. */
  readonly network: string | null;
}

/** By the numbers that statfs gives them. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
]);

/** null: the folder cannot be asked. */
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

/** 0 when there is none, as with a store that is not a file. */
export function walBytes({ file }: Place): number {
  return file === null ? 0 : (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}

export const isLargeWal = (bytes: number): boolean => bytes > LARGE_WAL_BYTES;

/** A sentence for each thing that will soon be in the way of writing. */
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
