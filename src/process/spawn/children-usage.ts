// What a child of Node used, which Node does not say: the difference in the sum that the system keeps for all children that
// were waited for. It is this child's alone if no other was waited for in between; then, and only then, it is reported.

import type { Usage } from '../../job/usage.ts';
import { nodeChildren } from './node-children.ts';
import { ResourceUsage } from './resource-usage.ts';

const OF_CHILDREN = -1;

type GetUsage = (whose: number, usage: Buffer) => number;

/** null: this system does not say. */
let ask: GetUsage | null | undefined;

const sum = new ResourceUsage();
/** null: not known yet. This process may have had children before it was what it is now. */
let last: { readonly user: number; readonly system: number } | null = null;
/** Waited for by others since the last look. */
let others = 0;

/** A child that is not Node's was waited for. */
export function otherChildEnded(): void {
  others += 1;
}

/** To be called before a child is started. */
export function beginUsage(): void {
  last ??= totals();
}

function totals(): { user: number; system: number } | null {
  ask ??= getUsage();
  if (ask === null || ask(OF_CHILDREN, sum.buffer) !== 0) return null;
  const { cpuUserMs, cpuSystemMs } = sum.read();
  return { user: cpuUserMs ?? 0, system: cpuSystemMs ?? 0 };
}

/** To be called when this child has ended; null: unknown. */
export function usageOfNodeChild(pid: number): Usage | null {
  const [before, now] = [last, totals()];
  const isAlone = others === 0 && nodeChildren().every((other) => other === pid || isThere(other));
  [last, others] = [now, 0];
  if (before === null || now === null || !isAlone) return null;
  return {
    peakMemoryBytes: null,
    cpuUserMs: now.user - before.user,
    cpuSystemMs: now.system - before.system,
  };
}

/** A child that was not waited for yet still has its pid. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function getUsage(): GetUsage | null {
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) return null;
  try {
    return process
      .getBuiltinModule('node:ffi')
      .dlopen(null, { getrusage: { arguments: ['int32', 'buffer'], return: 'int32' } }).functions.getrusage;
  } catch {
    return null;
  }
}
