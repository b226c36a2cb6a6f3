// Settings for global resource limits.

import { LIMIT_MODES } from '../job/input/limits-input.ts';
import {
  IO_CLASSES,
  type IoClass,
  type ResourceLimits,
  strictest,
} from '../job/isolation/resource-limits.ts';
import { duration, integer, type Setting, type SettingValue, size, word, YEAR } from './setting-kinds.ts';

const LEAST_MEMORY = 1024 * 1024;

export const LIMIT_SETTINGS = {
  limit_memory: size(LEAST_MEMORY, 'memory that any job may use'),
  limit_cpu_time: duration(null, 1, 10 * YEAR, 'seconds of CPU time that any job may use'),
  limit_cpu: integer(null, 1, 100_000, 'per cent of a core that any job may use at a time'),
  limit_processes: integer(null, 1, 1e9, 'processes that any job may have at once'),
  limit_open_files: integer(null, 3, 1e9, 'files that each process of a job may have open'),
  limit_file_size: size(0, 'size that any file may have that a job writes'),
  limit_nice: integer(null, 0, 19, 'how far others come before jobs, from 0 to 19'),
  limit_io_class: orNone(word('none', IO_CLASSES, 'how jobs read and write disks, beside others')),
  limit_mode: word('strict', LIMIT_MODES, 'a limit that cannot be enforced: start no job, or go without it'),
} satisfies Record<string, Setting>;

type LimitSetting = keyof typeof LIMIT_SETTINGS;

function orNone(setting: Setting): Setting {
  return { ...setting, default: null };
}

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
  return strictest(
    Object.fromEntries(Object.entries(said).filter(([, one]) => one !== undefined)) as ResourceLimits,
  );
}
