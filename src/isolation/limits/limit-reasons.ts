// Texts for the limit that stopped a job, and how to infer the limit from the exit.

import type { ResourceLimits } from '../../job/isolation/resource-limits.ts';
import { cpuMsOf, type Usage } from '../../job/usage.ts';
import type { Exit } from '../../process/spawn/exit.ts';
import { sizeText } from '../../text/size.ts';

export const outOfMemory = (limit: number, peak: number | null): string =>
  `out of memory (limit ${sizeText(limit)}${peak === null ? '' : `, peak ${sizeText(peak)}`})`;

export const overCpuTime = (seconds: number): string => `CPU time exceeded (limit ${seconds} s)`;

export const tooManyProcesses = (limit: number): string => `too many processes (limit ${limit})`;

const overFileSize = (bytes: number): string => `file too large (limit ${sizeText(bytes)})`;

/** Shells add this to the signal that killed a child. */
const OF_SHELL = 128;
const [XCPU, XFSZ] = [24, 25] as const;

const isEndedBy = ({ signal, exitCode }: Exit, name: string, number: number): boolean =>
  signal === name || exitCode === OF_SHELL + number;

/** Returns null if no known limit was the cause. */
export function reasonOf(exit: Exit, limits: ResourceLimits, usage: Usage | null): string | null {
  const { cpuSeconds, fileBytes } = limits;
  if (exit.outcome !== 'failed' && exit.outcome !== 'signalled') return null;
  if (fileBytes !== undefined && isEndedBy(exit, 'SIGXFSZ', XFSZ)) return overFileSize(fileBytes);
  if (cpuSeconds === undefined) return null;
  const hasUsedAll = (cpuMsOf(usage) ?? 0) >= cpuSeconds * 1000;
  return isEndedBy(exit, 'SIGXCPU', XCPU) || (hasUsedAll && exit.signal === 'SIGKILL') ? overCpuTime(cpuSeconds) : null;
}
