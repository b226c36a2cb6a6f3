// Keeps inherited file descriptors from jobs, which could reach them through /proc/self/fd. Node marks its own
// descriptors and inherited ones up to 15 as close-on-exec, but stops at the first gap above.

import { closeSync, readdirSync, readFileSync } from 'node:fs';
import { cFunctions } from '../../system/c-functions.ts';

const CLOEXEC = 0o2000000;
/** Last descriptor that libuv always marks at startup. */
const MARKED_BY_NODE = 15;

/**
 * Call once, before the first child starts. Does nothing on macOS, where libuv starts children with
 * POSIX_SPAWN_CLOEXEC_DEFAULT.
 */
export function closeInheritedFiles(): void {
  for (const fd of openFiles()) if (fd > MARKED_BY_NODE && staysOpenOnExec(fd)) closeSync(fd);
}

/**
 * Variant for a host program that uses the library: keeps descriptors open in the program but closes them in its
 * children. Node can still pass them on explicitly. Does nothing without node:ffi.
 */
export function keepInheritedFilesFromChildren(): void {
  const inherited = openFiles().filter((fd) => fd > LAST_STANDARD && staysOpenOnExec(fd));
  const mark = inherited.length === 0 ? null : fileControl();
  for (const fd of inherited) mark?.(fd, SET_FLAGS, CLOSE_ON_EXEC);
}

const LAST_STANDARD = 2;
/** F_SETFD and FD_CLOEXEC on Linux. */
const [SET_FLAGS, CLOSE_ON_EXEC] = [2, 1];

const fileControl = () =>
  cFunctions({ fcntl: { arguments: ['int32', 'int32', 'int32'], return: 'int32' } })?.fcntl ?? null;

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
