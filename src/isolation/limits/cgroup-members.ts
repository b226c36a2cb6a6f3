// Lists the processes of a cgroup. Only queuectl's own processes are ever moved; a shell or another service in the same
// cgroup stays where it is.

import { basename } from 'node:path';
import { environmentOf, exists, processEntry } from '../../process/tree/proc.ts';
import { LEASE_VARIABLE } from '../../process/tree/process-table.ts';
import { read } from './cgroup-files.ts';

export const membersOf = (entrance: string): number[] => read(entrance).split('\n').filter(Boolean).map(Number);

/** Returns a process in the cgroup that belongs neither to queuectl nor to a job, such as 'bash (pid 12)', or null. */
export function strangerIn(entrance: string): string | null {
  const stranger = membersOf(entrance).find((pid) => !isOurs(pid) && !isGone(pid));
  return stranger === undefined ? null : nameOf(stranger);
}

/** True for queuectl processes, their descendants, and remaining processes of lost workers' jobs. */
function isOurs(pid: number): boolean {
  for (let at = pid; at > 0; at = processEntry(at)?.parent ?? 0) if (at === process.pid || isQueuectl(at)) return true;
  return new RegExp(`(^|\0)${LEASE_VARIABLE}=[^\0]`).test(environmentOf(pid) ?? '');
}

/** Processes of other containers appear as PID 0. */
const isGone = (pid: number): boolean => processEntry(pid) === null && !exists(pid);

const PROGRAM = basename(process.argv[1] ?? '');

/** Compares file names, because the program may have been started by another path. */
const isQueuectl = (pid: number): boolean =>
  read(`/proc/${pid}/cmdline`)
    .split('\0')
    .some((word) => PROGRAM !== '' && basename(word) === PROGRAM);

const nameOf = (pid: number): string => `${read(`/proc/${pid}/comm`).trim() || 'a process'} (pid ${pid})`;
