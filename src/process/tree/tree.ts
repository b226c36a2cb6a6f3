// Stops a job with everything it started: its process group and session, their descendants, and processes that left all
// of these but carry its mark. Sends TERM, then KILL after a grace period, and finishes only when no process is left.

import { setTimeout as sleep } from 'node:timers/promises';
import { onLinux, type ProcessEntry } from './proc.ts';
import { freshTable, LEASE_VARIABLE, type MarkedEntry, type ProcessTable } from './process-table.ts';

export interface Leader {
  readonly pid: number;
  /** Null if it exited before it could be read. */
  readonly startedAt: string | null;
}

export interface Tree {
  /** The job's first process, which leads its group and session; null if unknown. */
  readonly leader: Leader | null;
  /** Mark in the environment of every descendant and of no other process, unless a descendant removed it. */
  readonly lease: string;
  /**
   * Orphans are reparented to this process if it is a subreaper. Those started at or after this time (on the scale of
   * `startedAt`) belong to this job, because no other job was running. Null if others were.
   */
  readonly orphansSince?: string | null;
  /** The leader only supervises the others and exits with them. Signalling it would kill them at once. */
  readonly isLeaderSpared?: boolean;
}

/** Identifies an attempt of a queue in the environment of its processes. */
export const leaseMark = (workerId: string, lease: { readonly seq: number; readonly run: number }): string =>
  `${workerId}/${lease.seq}/${lease.run}`;

/** For a process that a job starts, or that runs alongside jobs, without belonging to one. */
export const NO_LEASE = { [LEASE_VARIABLE]: '' } as const;

const LOOK_AGAIN_MS = 25;
/** A process that survives KILL is stuck in the kernel, and nothing more can be done. */
const STUCK_AFTER_MS = 5000;

/** A command that was being started when its worker was killed gets its mark within this time. */
const LATE_START_MS = 200;

/** Stops the jobs of a lost worker, then checks once more for those that were just being started. */
export async function endAbandoned(trees: readonly Tree[], graceMs: number): Promise<void> {
  if (trees.length === 0) return;
  await Promise.all(trees.map((tree) => endTree(tree, graceMs)));
  await sleep(LATE_START_MS);
  await Promise.all(trees.map((tree) => endTree(tree, graceMs)));
}

/** `aboutTo` is called once, after the processes were listed and before the first signal. */
export async function endTree(tree: Tree, graceMs: number, aboutTo = (): void => {}): Promise<void> {
  const ending = new TreeEnding(tree, aboutTo);
  if (await ending.isGoneAfter('SIGTERM', graceMs)) return;
  await ending.isGoneAfter('SIGKILL', STUCK_AFTER_MS);
}

/** Signals the whole process group, but no processes outside it unless the leader is spared. */
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

/** The first process of a sandbox is a child of the leader, and gets no signals that it does not handle. */
function sendToOthers(members: readonly ProcessEntry[], leader: number, signal: NodeJS.Signals): void {
  for (const { pid } of members) if (pid !== leader) send(pid, signal);
}

class TreeEnding {
  private readonly tree: Tree;
  /** Once found, a process stays a member, because it may leave its group and parent while it is being stopped. */
  private readonly found = new Map<number, ProcessEntry>();
  /** Processes that were sent TERM, individually or with their group. */
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

  /** Returns null if unknown, for example if no more files can be opened; processes may be left. */
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

  /** Sends TERM only once to each: many programs exit immediately on a second one. */
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
      else if (isFirst) this.told.set(pid, 'with its group'); // unless it left the group at this moment
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

  /** Signals the group first, which leaves a forking job no gap. */
  private sendToGroup(members: readonly ProcessEntry[], signal: NodeJS.Signals): void {
    const { leader } = this.tree;
    if (leader && (!onLinux || members.some(({ group }) => group === leader.pid))) send(-leader.pid, signal);
  }

  private sendAlone(pid: number, signal: NodeJS.Signals): void {
    this.told.set(pid, 'alone');
    send(pid, signal);
  }
}

/** Without /proc, only the existence of group members is known. */
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

/** Returns null if the PID was reused. A PID is not reused while its group or session has members. */
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
