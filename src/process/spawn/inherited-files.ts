// Keeps inherited file descriptors from jobs, which could reach them through /proc/self/fd. Node marks its own
// descriptors and inherited ones up to 15 as close-on-exec, but stops at the first gap above.

import { closeSync, readdirSync, readFileSync } from 'node:fs';
import { cFunctions } from '../../system/c-functions.ts';

const CLOEXEC = 0o2000000;
/** F_SETFD and FD_CLOEXEC on Linux. */
const [SET_FLAGS, CLOSE_ON_EXEC] = [2, 1];
const LAST_STANDARD = 2;

/**
 * Call once, before the first child starts. The descriptors stay open in this program, because Node or V8 may have
 * opened them, for example for a profile: a database with the same number would receive what they write.
 * Does nothing on macOS, where libuv starts children with POSIX_SPAWN_CLOEXEC_DEFAULT. Without node:ffi, `withoutFfi`
 * decides: a program that uses the library keeps its files.
 */
export function keepInheritedFilesFromChildren(withoutFfi: 'close' | 'ignore'): void {
  const inherited = openFiles().filter((fd) => fd > LAST_STANDARD && staysOpenOnExec(fd));
  const mark = inherited.length === 0 ? null : fileControl();
  for (const fd of inherited) {
    if (mark) mark(fd, SET_FLAGS, CLOSE_ON_EXEC);
    else if (withoutFfi === 'close') closeSync(fd);
  }
}

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
