// PIDs of children that Node started and reaps itself, so that the reaper leaves them alone.

import type { ChildProcess } from 'node:child_process';

const running = new Set<number>();

export function waitedForByNode<T extends ChildProcess>(child: T): T {
  const { pid } = child;
  if (pid === undefined) return child;
  running.add(pid);
  child.once('exit', () => running.delete(pid));
  return child;
}

export const isNodeChild = (pid: number): boolean => running.has(pid);

export const nodeChildren = (): number[] => [...running];
