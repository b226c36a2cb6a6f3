// The resource usage of attempts as text.

import { cpuMsOf, type Usage } from '../../job/usage.ts';
import { sizeText } from '../../text/size.ts';
import { duration } from './kit/human.ts';

/** Returns '12 MiB · 0.3 s CPU', without unknown values. */
export function usageText(usage: Usage | null): string {
  const cpuMs = cpuMsOf(usage);
  return [
    ...(usage?.peakMemoryBytes == null ? [] : [sizeText(usage.peakMemoryBytes)]),
    ...(cpuMs === null ? [] : [`${duration(cpuMs)} CPU`]),
  ].join(' · ');
}
