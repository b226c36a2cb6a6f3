// Closes the files that this process inherited from the process that started it, so that no job can reach them through
// /proc/self/fd. Node marks its own files, and the inherited ones up to 15, as closed on exec; it stops at the first gap above.

import { closeSync, readdirSync, readFileSync } from 'node:fs';

const CLOEXEC = 0o2000000;
/** The last file that libuv always marks when Node starts. */
const MARKED_BY_NODE = 15;

/**
 * Call this once, before the first child is started. On macOS, libuv starts every child with POSIX_SPAWN_CLOEXEC_DEFAULT, so
 * there is nothing to close.
 */
export function closeInheritedFiles(): void {
  for (const fd of openFiles()) if (fd > MARKED_BY_NODE && staysOpenOnExec(fd)) closeSync(fd);
}

/** Returns an empty list on systems without /proc. */
function openFiles(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

/** A file that has been closed in the meantime, such as the listed directory itself, has no flags. */
function staysOpenOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOEXEC) === 0;
  } catch {
    return false;
  }
}
