// Settings for start conditions. Each can also be set for a single worker.

import { parseHours } from '../time/hours.ts';
import { decimal, type Setting, size } from './setting-kinds.ts';

export const ADMISSION_SETTINGS = {
  max_load: {
    ...decimal(0, 0.01, 1e6, 'system load above which workers start no new jobs'),
    default: null,
  },
  min_free_memory: size(0, 'free memory below which workers start no new jobs'),
  min_free_disk: size(0, 'free disk space next to the database below which workers start no new jobs'),
  hours: {
    default: null,
    help: 'hours of the day (local time) during which workers start jobs',
    parse: (text: string) => (parseHours(text) === null ? undefined : text),
    expected: 'hours such as 22-6 or 8:30-17',
  },
  memory_budget: size(
    1024 * 1024,
    'memory that a worker divides among jobs with a memory limit (none: all memory of the host)',
  ),
} satisfies Record<string, Setting>;

export type AdmissionSetting = keyof typeof ADMISSION_SETTINGS;
export const ADMISSION_KEYS = Object.keys(ADMISSION_SETTINGS) as AdmissionSetting[];
