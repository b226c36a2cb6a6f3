// Settings for global resource limits.

import { LIMIT_MODES } from '../job/input/limits-input.ts';
import { IO_CLASSES, type IoClass, type ResourceLimits, strictest } from '../job/isolation/resource-limits.ts';
import { duration, integer, type Setting, type SettingValue, size, word, YEAR } from './setting-kinds.ts';

const LEAST_MEMORY = 1024 * 1024;

export const LIMIT_SETTINGS = {
  limit_memory: size(LEAST_MEMORY, 'maximum memory of a job'),
  limit_cpu_time: duration(null, 1, 10 * YEAR, 'maximum CPU time of a job, in seconds'),
  limit_cpu: integer(null, 1, 100_000, 'maximum CPU use of a job, in percent of one core'),
  limit_processes: integer(null, 1, 1e9, 'maximum number of processes of a job'),
  limit_open_files: integer(null, 3, 1e9, 'maximum number of open files of each process of a job'),
  limit_file_size: size(0, 'maximum size of a file that a job writes'),
  limit_nice: integer(null, 0, 19, 'nice value of jobs, from 0 (normal) to 19 (lowest priority)'),
  limit_io_class: { ...word('none', IO_CLASSES, 'I/O scheduling class of jobs'), default: null },
  limit_mode: word(
    'strict',
    LIMIT_MODES,
    'handling of limits that cannot be enforced: reject the job (strict) or run it anyway (best-effort)',
  ),
} satisfies Record<string, Setting>;

type LimitSetting = keyof typeof LIMIT_SETTINGS;

/** Returns undefined if there are no global limits. */
export function limitsOfSettings(value: (key: LimitSetting) => SettingValue): ResourceLimits | undefined {
  const number = (key: LimitSetting): number | undefined => {
    const said = value(key);
    return said === null ? undefined : Number(said);
  };
  const said = {
    memoryBytes: number('limit_memory'),
    cpuSeconds: number('limit_cpu_time'),
    cpuPercent: number('limit_cpu'),
    processes: number('limit_processes'),
    openFiles: number('limit_open_files'),
    fileBytes: number('limit_file_size'),
    nice: number('limit_nice'),
    ioClass: (value('limit_io_class') ?? undefined) as IoClass | undefined,
    isBestEffort: value('limit_mode') === 'best-effort' || undefined,
  };
  return strictest(Object.fromEntries(Object.entries(said).filter(([, one]) => one !== undefined)) as ResourceLimits);
}
