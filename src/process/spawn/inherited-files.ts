// Keeps the files that this process inherited from the process that started it from jobs, which could reach them through
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

/**
 * The same for a process that is not queuectl's own: the files stay open for the program, and are closed in what it starts. Node
 * can pass a file on to a child all the same. Does nothing where Node does not bring node:ffi.
 */
export function keepInheritedFilesFromChildren(): void {
  const inherited = openFiles().filter((fd) => fd > LAST_STANDARD && staysOpenOnExec(fd));
  const mark = inherited.length === 0 ? null : fileControl();
  for (const fd of inherited) mark?.(fd, SET_FLAGS, CLOSE_ON_EXEC);
}

const LAST_STANDARD = 2;
/** F_SETFD and FD_CLOEXEC of Linux. */
const [SET_FLAGS, CLOSE_ON_EXEC] = [2, 1];

function fileControl(): ((fd: number, command: number, argument: number) => number) | null {
  try {
    const calls = { fcntl: { arguments: ['int32', 'int32', 'int32'], return: 'int32' } } as const;
    return process.getBuiltinModule('node:ffi').dlopen(null, calls).functions.fcntl;
  } catch {
    return null;
  }
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
