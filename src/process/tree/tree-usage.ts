// Current memory and CPU usage of a job's processes, from /proc. Processes that exit during the reading are not
// counted.

import { readFileSync } from 'node:fs';
import { TICKS_A_SECOND } from './proc.ts';
import { freshTable } from './process-table.ts';
import { type Leader, membersIn } from './tree.ts';

export interface TreeUsage {
  /** Current total. */
  readonly memoryBytes: number;
  /** Known peak: the current total, or an earlier peak of one process. */
  readonly peakMemoryBytes: number;
  /** CPU time of running processes and their reaped children. */
  readonly cpuUserMs: number;
  readonly cpuSystemMs: number;
  readonly processes: number;
}

/** `leader` is the job's first process. Returns null if it no longer exists. */
export async function usageOfProcesses(leader: Leader): Promise<TreeUsage | null> {
  const table = await freshTable();
  const entry = table.byPid.get(leader.pid);
  if (entry === undefined || (leader.startedAt !== null && entry.startedAt !== leader.startedAt)) return null;
  return usageOfTree(membersIn(table, { leader, lease: entry.lease || NOBODYS }));
}

/** A mark that no process has. */
const NOBODYS = '/';

export function usageOfTree(members: Iterable<{ readonly pid: number }>): TreeUsage {
  const sum = { own: 0, shared: 0, highest: 0, user: 0, system: 0, processes: 0 };
  for (const { pid } of members) {
    const [memory, cpu] = [memoryOf(pid), cpuOf(pid)];
    if (memory === null || cpu === null) continue;
    sum.own += memory.own;
    sum.shared = Math.max(sum.shared, memory.shared);
    sum.highest = Math.max(sum.highest, memory.highest);
    sum.user += cpu.user;
    sum.system += cpu.system;
    sum.processes += 1;
  }
  const memoryBytes = sum.own + sum.shared;
  return {
    memoryBytes,
    peakMemoryBytes: Math.max(memoryBytes, sum.highest),
    cpuUserMs: sum.user,
    cpuSystemMs: sum.system,
    processes: sum.processes,
  };
}

interface Memory {
  /** Private memory, and memory that may be shared with others, such as program files. */
  readonly own: number;
  readonly shared: number;
  /** Peak since exec. */
  readonly highest: number;
}

function memoryOf(pid: number): Memory | null {
  const status = text(`/proc/${pid}/status`);
  if (status === null) return null;
  const [own, files, shared] = ['RssAnon', 'RssFile', 'RssShmem'].map((name) => bytesIn(status, name));
  return { own: own ?? 0, shared: (files ?? 0) + (shared ?? 0), highest: bytesIn(status, 'VmHWM') };
}

const bytesIn = (status: string, name: string): number =>
  1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);

const [USER_FIELD, SYSTEM_FIELD, CHILDREN_USER_FIELD, CHILDREN_SYSTEM_FIELD] = [11, 12, 13, 14] as const;

/** Milliseconds, including reaped children. */
function cpuOf(pid: number): { user: number; system: number } | null {
  const stat = text(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', CHILDREN_SYSTEM_FIELD + 1);
  const ms = (...numbers: number[]): number =>
    numbers.reduce((sum, field) => sum + Number(fields[field]), 0) * (1000 / TICKS_A_SECOND);
  return { user: ms(USER_FIELD, CHILDREN_USER_FIELD), system: ms(SYSTEM_FIELD, CHILDREN_SYSTEM_FIELD) };
}

export interface FairShare {
  readonly held: number;
  /** Part of it that is mapped shared memory, including files that exist only in memory. */
  readonly mapped: number;
}

/** Private memory plus a proportional share of shared memory; slow to read. Returns null if it is not readable. */
export function fairShareOf(pid: number): FairShare | null {
  const rollup = text(`/proc/${pid}/smaps_rollup`);
  return rollup === null ? null : { held: bytesIn(rollup, 'Pss'), mapped: bytesIn(rollup, 'Pss_Shmem') };
}

function text(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // it has exited, or is not readable
  }
}
