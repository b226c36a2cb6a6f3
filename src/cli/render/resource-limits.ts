// Resource limits and isolation as text.

import type { Confinement } from '../../job/isolation/isolation.ts';
import type { ResourceLimits } from '../../job/isolation/resource-limits.ts';
import { sizeText } from '../../text/size.ts';
import { count, duration } from './kit/human.ts';

/** Returns 'sandbox strict', 'as user www-data'. */
export const confinementWords = ({ sandbox, user }: Pick<Confinement, 'sandbox' | 'user'>): string[] => [
  ...(sandbox === undefined ? [] : [`sandbox ${sandbox}`]),
  ...(user === undefined ? [] : [`as user ${user}`]),
];

/** Returns 'memory 512 MiB', 'CPU time 60 s', … */
export const limitWords = (limits: ResourceLimits | undefined): string[] => [
  ...(limits?.memoryBytes === undefined ? [] : [`memory ${sizeText(limits.memoryBytes)}`]),
  ...(limits?.cpuSeconds === undefined ? [] : [`CPU time ${duration(limits.cpuSeconds * 1000)}`]),
  ...(limits?.cpuPercent === undefined ? [] : [`CPU ${limits.cpuPercent}%`]),
  ...(limits?.processes === undefined ? [] : [`${count(limits.processes)} processes`]),
  ...(limits?.openFiles === undefined ? [] : [`${count(limits.openFiles)} open files`]),
  ...(limits?.fileBytes === undefined ? [] : [`file size ${sizeText(limits.fileBytes)}`]),
  ...(limits?.nice === undefined ? [] : [`nice ${limits.nice}`]),
  ...(limits?.ioClass === undefined ? [] : [`io ${limits.ioClass}`]),
  ...(limits?.isBestEffort ? ['limits best-effort'] : []),
];
