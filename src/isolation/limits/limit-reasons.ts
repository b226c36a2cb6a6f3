// Why a limit ended a job, in words; and how to tell from the way it ended, where nobody saw it.

import type { ResourceLimits } from '../../job/isolation/resource-limits.ts';
import { cpuMsOf, type Usage } from '../../job/usage.ts';
import type { Exit } from '../../process/spawn/exit.ts';
import { sizeText } from '../../text/size.ts';

export const outOfMemory = (limit: number, peak: number | null): string =>
  `out of memory (limit ${sizeText(limit)}${peak === null ? '' : `, peak ${sizeText(peak)}`})`;

export const overCpuTime = (seconds: number): string => `CPU time exceeded (limit ${seconds} s)`;

export const tooManyProcesses = (limit: number): string => `too many processes (limit ${limit})`;

const overFileSize = (bytes: number): string => `file too large (limit ${sizeText(bytes)})`;

/** What a shell answers for a child that was killed by a signal. */
const OF_SHELL = 128;
const [XCPU, XFSZ] = [24, 25] as const;

const isEndedBy = ({ signal, exitCode }: Exit, name: string, number: number): boolean =>
  signal === name || exitCode === OF_SHELL + number;

/** null: no limit that we know of. */
export function reasonOf(exit: Exit, limits: ResourceLimits, usage: Usage | null): string | null {
  const { cpuSeconds, fileBytes } = limits;
  if (exit.outcome !== 'failed' && exit.outcome !== 'signalled') return null;
  if (fileBytes !== undefined && isEndedBy(exit, 'SIGXFSZ', XFSZ)) return overFileSize(fileBytes);
  if (cpuSeconds === undefined) return null;
  const hasUsedAll = (cpuMsOf(usage) ?? 0) >= cpuSeconds * 1000;
  return isEndedBy(exit, 'SIGXCPU', XCPU) || (hasUsedAll && exit.signal === 'SIGKILL')
    ? overCpuTime(cpuSeconds)
    : null;
}
