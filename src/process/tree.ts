// Ending a job with everything it started: its process group and session, their descendants, and strays that left all
// of these but carry its mark. TERM first, KILL after a grace period, and done only when nothing is left.

import { setTimeout as sleep } from 'node:timers/promises';
import { onLinux, type ProcessEntry } from './proc.ts';
import { freshTable, LEASE_VARIABLE, type MarkedEntry, type ProcessTable } from './process-table.ts';

export interface Leader {
  readonly pid: number;
  /** null: it had ended before anybody could look. */
  readonly startedAt: string | null;
}

export interface Tree {
  /** The job's first process, which leads its group and session; null when it is not known. */
  readonly leader: Leader | null;
  /** What every descendant has in its environment and nothing else does, unless it was told to forget it. */
  readonly lease: string;
  /**
   * Orphans of jobs come to this process when it has asked for them. Those that started while this job was the only one
   * here are its own: by `startedAt` of processes, from this one on; null when others ran beside it.
   */
  readonly orphansSince?: string | null;
}

/** Names an attempt among all of a queue, in the environment of its processes. */
export const leaseMark = (
  workerId: string,
  lease: { readonly seq: number; readonly number: number },
): string => `${workerId}/${lease.seq}/${lease.number}`;

/** For a process that is started by a job, or beside jobs, and belongs to none. */
export const NO_LEASE = { [LEASE_VARIABLE]: '' } as const;

const LOOK_AGAIN_MS = 25;
/** A process that KILL does not end is stuck in the kernel: nothing more can be done about it. */
const STUCK_AFTER_MS = 5000;

export async function endTree(tree: Tree, graceMs: number): Promise<void> {
  if (await isGoneAfter('SIGTERM', tree, graceMs)) return;
  await isGoneAfter('SIGKILL', tree, STUCK_AFTER_MS);
}

/** TERM is sent once, to whatever is there then; KILL to whatever comes after, too. */
async function isGoneAfter(signal: 'SIGTERM' | 'SIGKILL', tree: Tree, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let isFirst = true; ; isFirst = false) {
    const members = await membersOf(tree);
    if (members?.length === 0) return true;
    if (isFirst || signal === 'SIGKILL') signalAll(tree, members ?? [], signal);
    if (performance.now() >= deadline) return false;
    await sleep(Math.min(LOOK_AGAIN_MS, Math.max(1, withinMs)));
  }
}

/** null: it cannot be said, for want of files perhaps; then something may well be left. */
async function membersOf(tree: Tree): Promise<readonly ProcessEntry[] | null> {
  if (!onLinux) return groupOf(tree);
  try {
    return membersIn(await freshTable(), tree);
  } catch {
    return null;
  }
}

/** Where there is no /proc, all that is known is whether the group has members. */
function groupOf({ leader }: Tree): readonly ProcessEntry[] | null {
  return leader !== null && send(-leader.pid, 0) ? null : [];
}

export function membersIn(table: ProcessTable, tree: Tree): MarkedEntry[] {
  const found = new Map<number, MarkedEntry>();
  const isForeign = ({ pid, lease }: MarkedEntry): boolean =>
    lease !== null && lease !== tree.lease && pid !== tree.leader?.pid;
  const add = (entries: readonly MarkedEntry[] = []): void => {
    for (const entry of entries) {
      if (found.has(entry.pid) || isForeign(entry)) continue;
      found.set(entry.pid, entry);
      add(table.byParent.get(entry.pid));
    }
  };
  add(table.byLease.get(tree.lease));
  const leader = leaderIn(table, tree);
  if (leader !== null) for (const index of [table.byGroup, table.bySession]) add(index.get(leader));
  add(orphansIn(table, tree));
  return [...found.values()];
}

/** null when another process has the pid by now: a pid is not used again while its group or session has members. */
function leaderIn(table: ProcessTable, { leader }: Tree): number | null {
  if (leader === null) return null;
  const entry = table.byPid.get(leader.pid);
  return entry && leader.startedAt !== null && entry.startedAt !== leader.startedAt ? null : leader.pid;
}

function orphansIn(table: ProcessTable, { orphansSince = null }: Tree): MarkedEntry[] {
  if (orphansSince === null) return [];
  const children = table.byParent.get(process.pid) ?? [];
  return children.filter(({ startedAt }) => Number(startedAt) >= Number(orphansSince));
}

/** The group as a whole first: a signal to all at once leaves a forking job no gap. */
function signalAll({ leader }: Tree, members: readonly ProcessEntry[], signal: NodeJS.Signals): void {
  const led = members.filter(({ group }) => group === leader?.pid);
  if (leader && (led.length > 0 || !onLinux)) send(-leader.pid, signal);
  for (const { pid, group } of members) if (group !== leader?.pid) send(pid, signal);
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
