// What attempts used, as people read it.

import { cpuMsOf, type Usage } from '../../job/usage.ts';
import { sizeText } from '../../text/size.ts';
import { duration } from './kit/human.ts';

/** '12 MiB · 0.3 s CPU', or what of it is known. */
export function usageText(usage: Usage | null): string {
  const cpuMs = cpuMsOf(usage);
  return [
    ...(usage?.peakMemoryBytes == null ? [] : [sizeText(usage.peakMemoryBytes)]),
    ...(cpuMs === null ? [] : [`${duration(cpuMs)} CPU`]),
  ].join(' · ');
}
