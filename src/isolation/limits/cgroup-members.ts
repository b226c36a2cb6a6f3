// Who is in a control group, and who of them may be moved. Only what belongs to queuectl ever is: a shell or another service
// that shares the group stays where it is.

import { basename } from 'node:path';
import { environmentOf, isHidden, processEntry } from '../../process/tree/proc.ts';
import { LEASE_VARIABLE } from '../../process/tree/process-table.ts';
import { read } from './cgroup-files.ts';

export const membersOf = (entrance: string): number[] =>
  read(entrance).split('\n').filter(Boolean).map(Number);

/** Somebody in the group who is neither a worker nor of a job, for people: 'bash (pid 12)'. null: there is nobody else. */
export function strangerIn(entrance: string): string | null {
  const stranger = membersOf(entrance).find((pid) => !isOurs(pid) && !isGone(pid));
  return stranger === undefined ? null : nameOf(stranger);
}

/** A worker or another process of queuectl, what it started, and what is left of a job whose worker is gone. */
function isOurs(pid: number): boolean {
  for (let at = pid; at > 0; at = processEntry(at)?.parent ?? 0)
    if (at === process.pid || isQueuectl(at)) return true;
  return new RegExp(`(^|\0)${LEASE_VARIABLE}=[^\0]`).test(environmentOf(pid) ?? '');
}

/** What another container has in the group is there as 0. */
const isGone = (pid: number): boolean => processEntry(pid) === null && !isHidden(pid);

const PROGRAM = basename(process.argv[1] ?? '');

/** By its file name: the same program may have been called by another path. */
const isQueuectl = (pid: number): boolean =>
  read(`/proc/${pid}/cmdline`)
    .split('\0')
    .some((word) => PROGRAM !== '' && basename(word) === PROGRAM);

const nameOf = (pid: number): string => `${read(`/proc/${pid}/comm`).trim() || 'a process'} (pid ${pid})`;
