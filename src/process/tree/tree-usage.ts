// What the processes of a job hold at this moment and have used until now, from /proc. A process that ends while it is looked
// at counts for nothing.

import { readFileSync } from 'node:fs';
import { TICKS_A_SECOND } from './proc.ts';
import { freshTable } from './process-table.ts';
import { type Leader, membersIn } from './tree.ts';

export interface TreeUsage {
  /** Of all of them together, at this moment. */
  readonly memoryBytes: number;
  /** The most that is known: of all together now, or of one of them before. */
  readonly peakMemoryBytes: number;
  /** Of those that run, and of all that they waited for. */
  readonly cpuUserMs: number;
  readonly cpuSystemMs: number;
  readonly processes: number;
}

/** Of the job whose first process this is. null: there is no such process any more. */
export async function usageOfProcesses(leader: Leader): Promise<TreeUsage | null> {
  const table = await freshTable();
  const entry = table.byPid.get(leader.pid);
  if (entry === undefined || (leader.startedAt !== null && entry.startedAt !== leader.startedAt)) return null;
  return usageOfTree(membersIn(table, { leader, lease: entry.lease || NOBODYS }));
}

/** No process has this mark. */
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
  /** What is its own, and what it may share with others, such as the files of a program. */
  readonly own: number;
  readonly shared: number;
  /** The most that it had since it loaded its program. */
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

/** Milliseconds, with those of its children that have ended and were waited for. */
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
  /** The part of it that is mapped shared memory: files that only exist in memory among it. */
  readonly mapped: number;
}

/** What a process holds by itself and its share of what it shares; dear to ask for. null: it may not be asked. */
export function fairShareOf(pid: number): FairShare | null {
  const rollup = text(`/proc/${pid}/smaps_rollup`);
  return rollup === null ? null : { held: bytesIn(rollup, 'Pss'), mapped: bytesIn(rollup, 'Pss_Shmem') };
}

function text(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // it has ended, or is not ours to look at
  }
}
