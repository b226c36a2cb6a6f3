// Ending a job with everything it started: its process group, and strays that left the group but carry its mark.
// TERM first, KILL after a grace period, and done only when nothing is left.

import { setTimeout as sleep } from 'node:timers/promises';
import { allPids, hasEnvironment, processEntry } from './proc.ts';

export interface Tree {
  /** The pid of the job's first process, which leads its group; null when it is not known. */
  readonly leader: number | null;
  /** Environment variables that every descendant inherits and nothing else has. */
  readonly mark: Readonly<Record<string, string>>;
}

/** The tree of one attempt, known by the job and the worker that are in its environment. */
export const treeOf = (jobId: string, workerId: string, leader: number | null): Tree => ({
  leader,
  mark: { QUEUECTL_JOB_ID: jobId, QUEUECTL_WORKER_ID: workerId },
});

const LOOK_AGAIN_MS = 25;
/** A process that KILL does not end is stuck in the kernel: nothing more can be done about it. */
const STUCK_AFTER_MS = 5000;

export async function endTree(tree: Tree, graceMs: number): Promise<void> {
  if (unlessBlind(() => signalTree(tree, 'SIGTERM')) && (await isGoneWithin(tree, graceMs))) return;
  const deadline = performance.now() + STUCK_AFTER_MS;
  while (unlessBlind(() => signalTree(tree, 'SIGKILL')) && performance.now() < deadline)
    await sleep(LOOK_AGAIN_MS);
}

async function isGoneWithin(tree: Tree, graceMs: number): Promise<boolean> {
  const deadline = performance.now() + graceMs;
  while (unlessBlind(() => isAlive(tree))) {
    if (performance.now() >= deadline) return false;
    await sleep(Math.min(LOOK_AGAIN_MS, graceMs));
  }
  return true;
}

/** Whether there is something left. Where we cannot look, out of files perhaps, there is. */
function unlessBlind(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return true;
  }
}

/** Answers whether there was anything to signal. */
function signalTree(tree: Tree, signal: NodeJS.Signals): boolean {
  const members = membersOf(tree);
  // The group as a whole first: a signal to all at once leaves a forking job no gap.
  if (tree.leader !== null && (members.length > 0 || !canList())) send(-tree.leader, signal);
  for (const pid of members) if (processEntry(pid)?.group !== tree.leader) send(pid, signal); // one signal each
  return members.length > 0 || (!canList() && isAlive(tree));
}

function isAlive(tree: Tree): boolean {
  if (canList()) return membersOf(tree).length > 0;
  return tree.leader !== null && send(-tree.leader, 0);
}

const canList = (): boolean => process.platform === 'linux';

function membersOf(tree: Tree): number[] {
  return allPids().filter((pid) => {
    if (pid === process.pid) return false;
    const entry = processEntry(pid);
    return entry !== null && (entry.group === tree.leader || hasEnvironment(pid, tree.mark));
  });
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
