// Chooses how to enforce each limit on this machine: by cgroup if possible, else by process limits and by polling.
// Limits that cannot be enforced are rejected.

import type { ResourceLimits } from '../../job/isolation/resource-limits.ts';
import type { Controller } from './cgroup.ts';
import type { ScriptLimits } from './limit-script.ts';
import type { Watched } from './tree-watch.ts';

/** Enforcement methods of this machine. */
export interface Means {
  readonly controllers: ReadonlySet<Controller>;
  /** Why some controllers are missing. */
  readonly whyNot: string;
  /** True if the usage of all processes is visible. */
  readonly canWatch: boolean;
  readonly hasProgram: (name: string) => boolean;
  /** Number of processes and threads on this machine, of all users. */
  readonly tasks: number;
}

export interface LimitPlan {
  readonly script: ScriptLimits;
  readonly watch: Watched;
  /** True if the job gets its own cgroup. */
  readonly isGrouped: boolean;
  /** Limits that cannot be enforced, with reasons. */
  readonly rejected: readonly string[];
}

/** Enough for programs that ask for more memory than they use; see docs/guides/resource-limits.md. */
const DATA_BEYOND_BYTES = 1024 ** 3;

export function planFor(limits: ResourceLimits, means: Means): LimitPlan {
  const { controllers, canWatch } = means;
  const { memoryBytes, cpuSeconds, processes, cpuPercent } = limits;
  const isMemoryWatched = memoryBytes !== undefined && !controllers.has('memory');
  const areProcessesWatched = processes !== undefined && !controllers.has('pids');
  const isGrouped =
    (memoryBytes !== undefined && !isMemoryWatched) ||
    (processes !== undefined && !areProcessesWatched) ||
    (cpuPercent !== undefined && controllers.has('cpu'));
  const rejected = rejections(limits, means, { isMemoryWatched, areProcessesWatched });
  return {
    isGrouped,
    rejected,
    watch: canWatch
      ? {
          ...(isMemoryWatched && { memoryBytes }),
          ...(areProcessesWatched && { processes }),
          ...(cpuSeconds !== undefined && { cpuSeconds }),
        }
      : {},
    script: {
      ...(cpuSeconds !== undefined && { cpuSeconds }),
      ...(limits.openFiles !== undefined && { openFiles: limits.openFiles }),
      ...(limits.fileBytes !== undefined && { fileBytes: limits.fileBytes }),
      ...(areProcessesWatched && { userProcesses: processes + means.tasks }),
      ...(isMemoryWatched && canWatch && { dataBytes: memoryBytes + Math.max(memoryBytes, DATA_BEYOND_BYTES) }),
      ...(limits.nice !== undefined && means.hasProgram('nice') && { nice: limits.nice }),
      ...(limits.ioClass !== undefined && means.hasProgram('ionice') && { ioClass: limits.ioClass }),
    },
  };
}

function rejections(
  { cpuPercent, nice, ioClass }: ResourceLimits,
  { controllers, whyNot, canWatch, hasProgram }: Means,
  watched: { readonly isMemoryWatched: boolean; readonly areProcessesWatched: boolean },
): string[] {
  return [
    ...(watched.isMemoryWatched && !canWatch ? [`memory: ${whyNot}`] : []),
    ...(watched.areProcessesWatched && !canWatch ? [`processes: ${whyNot}`] : []),
    ...(cpuPercent !== undefined && !controllers.has('cpu') ? [`cpu: ${whyNot}`] : []),
    ...(nice !== undefined && !hasProgram('nice') ? ["nice: program 'nice' not found"] : []),
    ...(ioClass !== undefined && !hasProgram('ionice')
      ? ["io_class: program 'ionice' not found (package util-linux)"]
      : []),
  ];
}
