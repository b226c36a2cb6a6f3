// Resource usage of children started by Node, which Node does not report. Computed from the kernel's total for all
// reaped children, and only if no other child was reaped in between.

import type { Usage } from '../../job/usage.ts';
import { cFunctions } from '../../system/c-functions.ts';
import { exists } from '../tree/proc.ts';
import { nodeChildren } from './node-children.ts';
import { ResourceUsage } from './resource-usage.ts';

const OF_CHILDREN = -1;

type GetUsage = (whose: number, usage: Buffer) => number;

/** Null if the system does not support it. */
let ask: GetUsage | null | undefined;

const sum = new ResourceUsage();
/** Last total; null if unknown, because this process may have had children earlier. */
let last: { readonly user: number; readonly system: number } | null = null;
/** Other children reaped since the last call. */
let others = 0;

/** Records that a child not started by Node was reaped. */
export function otherChildEnded(): void {
  others += 1;
}

/** Call before starting a child. */
export function beginUsage(): void {
  last ??= totals();
}

function totals(): { user: number; system: number } | null {
  ask ??= getUsage();
  if (ask === null || ask(OF_CHILDREN, sum.buffer) !== 0) return null;
  const { cpuUserMs, cpuSystemMs } = sum.read();
  return { user: cpuUserMs ?? 0, system: cpuSystemMs ?? 0 };
}

/** Call when the child has exited. Returns null if unknown. */
export function usageOfNodeChild(pid: number): Usage | null {
  const [before, now] = [last, totals()];
  // A child keeps its PID until it is reaped.
  const isAlone = others === 0 && nodeChildren().every((other) => other === pid || exists(other));
  [last, others] = [now, 0];
  if (before === null || now === null || !isAlone) return null;
  return {
    peakMemoryBytes: null,
    cpuUserMs: now.user - before.user,
    cpuSystemMs: now.system - before.system,
  };
}

const getUsage = (): GetUsage | null =>
  cFunctions({ getrusage: { arguments: ['int32', 'buffer'], return: 'int32' } })?.getrusage ?? null;
