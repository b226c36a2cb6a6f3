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
  /** In the environment of every descendant and of nothing else, unless a descendant removed it. */
  readonly lease: string;
  /**
   * Orphans of jobs come to this process when it has asked for them. Those that started while this job was the only one
   * here are its own: by `startedAt` of processes, from this one on; null when others ran beside it.
   */
  readonly orphansSince?: string | null;
  /** The leader only watches over the others and ends with them: if it is told to end, they die at once. */
  readonly isLeaderSpared?: boolean;
}

/** Names an attempt among all of a queue, in the environment of its processes. */
export const leaseMark = (workerId: string, lease: { readonly seq: number; readonly run: number }): string =>
  `${workerId}/${lease.seq}/${lease.run}`;

/** For a process that is started by a job, or beside jobs, and belongs to none. */
export const NO_LEASE = { [LEASE_VARIABLE]: '' } as const;

const LOOK_AGAIN_MS = 25;
/** A process that KILL does not end is stuck in the kernel: nothing more can be done about it. */
const STUCK_AFTER_MS = 5000;

/** A command that was being started when its worker was killed has no mark yet, and gets it within this time. */
const LATE_START_MS = 200;

/** Ends what a lost worker left behind: all at once, and once more what was only about to start. */
export async function endAbandoned(trees: readonly Tree[], graceMs: number): Promise<void> {
  if (trees.length === 0) return;
  await Promise.all(trees.map((tree) => endTree(tree, graceMs)));
  await sleep(LATE_START_MS);
  await Promise.all(trees.map((tree) => endTree(tree, graceMs)));
}

/** `aboutTo` is called once: its processes have been looked for, and none of them has been told anything yet. */
export async function endTree(tree: Tree, graceMs: number, aboutTo = (): void => {}): Promise<void> {
  const ending = new TreeEnding(tree, aboutTo);
  if (await ending.isGoneAfter('SIGTERM', graceMs)) return;
  await ending.isGoneAfter('SIGKILL', STUCK_AFTER_MS);
}

/** The whole process group at once; processes outside it get nothing, unless the leader is spared. */
export function signalTree(tree: Tree, signal: NodeJS.Signals): void {
  const { leader, isLeaderSpared } = tree;
  if (leader === null) return;
  if (!isLeaderSpared) send(-leader.pid, signal);
  else
    freshTable().then(
      (table) => sendToOthers(membersIn(table, tree), leader.pid, signal),
      () => {},
    );
}

/** The first process of a sandbox is the child of its leader, and gets no signal that it does not handle. */
function sendToOthers(members: readonly ProcessEntry[], leader: number, signal: NodeJS.Signals): void {
  for (const { pid } of members) if (pid !== leader) send(pid, signal);
}

class TreeEnding {
  private readonly tree: Tree;
  /** Once found, a process stays a member: it may leave group and parent behind while it is being ended. */
  private readonly found = new Map<number, ProcessEntry>();
  /** Which processes were sent TERM, and whether alone or with their group. */
  private readonly told = new Map<number, 'with its group' | 'alone'>();

  private readonly aboutTo: () => void;
  private hasLooked = false;
  private hasBegun = false;

  constructor(tree: Tree, aboutTo: () => void) {
    this.tree = tree;
    this.aboutTo = aboutTo;
  }

  async isGoneAfter(signal: 'SIGTERM' | 'SIGKILL', withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const members = await this.members();
      if (!this.hasLooked) this.aboutTo();
      this.hasLooked = true;
      if (members?.length === 0) return true;
      if (signal === 'SIGTERM') this.sendTerm(members ?? []);
      else this.sendKill(members ?? []);
      if (performance.now() >= deadline) return false;
      await sleep(Math.min(LOOK_AGAIN_MS, Math.max(1, withinMs)));
    }
  }

  /** null: unknown, perhaps because no more files can be opened; then something may well be left. */
  private async members(): Promise<readonly ProcessEntry[] | null> {
    if (!onLinux) return groupOf(this.tree);
    try {
      const table = await freshTable();
      for (const entry of membersIn(table, this.tree)) this.found.set(entry.pid, entry);
      return [...this.found.values()].flatMap(({ pid, startedAt }) => {
        const entry = table.byPid.get(pid);
        return entry?.startedAt === startedAt ? [entry] : [];
      });
    } catch {
      return null;
    }
  }

  /** Once to each: for many programs a second one means at once. */
  private sendTerm(members: readonly ProcessEntry[]): void {
    const isFirst = !this.hasBegun;
    this.hasBegun = true;
    if (this.tree.isLeaderSpared) {
      this.tellOthers(members);
      return;
    }
    if (isFirst) this.sendToGroup(members, 'SIGTERM');
    for (const { pid, group } of members) {
      if (group !== this.tree.leader?.pid && this.told.get(pid) !== 'alone') this.sendAlone(pid, 'SIGTERM');
      else if (isFirst) this.told.set(pid, 'with its group'); // unless it has left the group in this very moment
    }
  }

  private tellOthers(members: readonly ProcessEntry[]): void {
    for (const { pid } of members)
      if (pid !== this.tree.leader?.pid && !this.told.has(pid)) this.sendAlone(pid, 'SIGTERM');
  }

  private sendKill(members: readonly ProcessEntry[]): void {
    this.sendToGroup(members, 'SIGKILL');
    for (const { pid } of members) this.sendAlone(pid, 'SIGKILL');
  }

  /** The group as a whole first: a signal to all at once leaves a forking job no gap. */
  private sendToGroup(members: readonly ProcessEntry[], signal: NodeJS.Signals): void {
    const { leader } = this.tree;
    if (leader && (!onLinux || members.some(({ group }) => group === leader.pid))) send(-leader.pid, signal);
  }

  private sendAlone(pid: number, signal: NodeJS.Signals): void {
    this.told.set(pid, 'alone');
    send(pid, signal);
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

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
