// Settings for start conditions. Each can also be set for a single worker.

import { parseHours } from '../time/hours.ts';
import { decimal, type Setting, size } from './setting-kinds.ts';

export const ADMISSION_SETTINGS = {
  max_load: {
    ...decimal(0, 0.01, 1e6, 'load of the machine above which workers start nothing new'),
    default: null,
  },
  min_free_memory: size(0, 'memory that must be free for workers to start anything'),
  min_free_disk: size(
    0,
    "disk space beside the queue's files that must be free for workers to start anything",
  ),
  hours: {
    default: null,
    means: 'hours of the day, in local time, in which workers start jobs',
    parse: (text: string) => (parseHours(text) === null ? undefined : text),
    expected: 'hours such as 22-6 or 8:30-17',
  },
  memory_budget: size(
    1024 * 1024,
    "memory for a worker's jobs that say how much they need; none: the machine's",
  ),
} satisfies Record<string, Setting>;

export type AdmissionSetting = keyof typeof ADMISSION_SETTINGS;
export const ADMISSION_KEYS = Object.keys(ADMISSION_SETTINGS) as AdmissionSetting[];
