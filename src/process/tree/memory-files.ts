// Memory of files that exist only in memory and belong to no process: anonymous files (memfd) that a job has open, and
// the tmpfs mounts of its sandbox. Files of unsandboxed jobs in /dev/shm are not counted, because their owner is
// unknown.

import { readFileSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { namesIn } from '../../system/files.ts';

const BLOCK = 512;

/** Returns the total size, with each file and file system counted once. */
export function memoryFileBytes(pids: Iterable<number>): number {
  const found = new Map<string, number>();
  const ours = new Set(temporaryMounts('self').map(({ device }) => device));
  for (const pid of pids) {
    for (const name of namesIn(`/proc/${pid}/fd`)) addUnnamed(`/proc/${pid}/fd/${name}`, found);
    for (const { device, at } of temporaryMounts(pid))
      if (!ours.has(device) && !found.has(device)) found.set(device, usedBytes(`/proc/${pid}/root${at}`));
  }
  return [...found.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function addUnnamed(link: string, found: Map<string, number>): void {
  try {
    if (!readlinkSync(link).startsWith('/memfd:')) return;
    const { dev, ino, blocks } = statSync(link);
    found.set(`${dev} ${ino}`, blocks * BLOCK);
  } catch {
    // The file was closed in the meantime.
  }
}

interface Mount {
  readonly device: string;
  readonly at: string;
}

/** Lines of mountinfo: ID, parent, device, root, mount point, options, …, -, type, source, options. */
function temporaryMounts(pid: number | 'self'): Mount[] {
  try {
    return readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
      .split('\n')
      .filter((line) => line.includes(' - tmpfs '))
      .map((line) => line.split(' '))
      .map(([, , device = '', , at = '']) => ({ device, at: at.replace(/\\(\d{3})/g, unescaped) }));
  } catch {
    return [];
  }
}

const unescaped = (_: string, octal: string): string => String.fromCharCode(Number.parseInt(octal, 8));

function usedBytes(path: string): number {
  try {
    const { blocks, bfree, bsize } = statfsSync(path);
    return (blocks - bfree) * bsize;
  } catch {
    return 0;
  }
}
