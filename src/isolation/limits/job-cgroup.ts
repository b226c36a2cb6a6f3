// The cgroup of one attempt. Its limits apply to all processes together, and all of them can be killed at once.

import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceLimits } from '../../job/isolation/resource-limits.ts';
import { type Usage, usageFrom } from '../../job/usage.ts';
import { processEntry } from '../../process/tree/proc.ts';
import { type Controller, ENTRANCE } from './cgroup.ts';
import { attempt, read } from './cgroup-files.ts';
import { membersOf } from './cgroup-members.ts';

const PREFIX = 'queuectl.job.';
const CPU_PERIOD_US = 100_000;
/** Processes that survive KILL are stuck in the kernel. */
const STUCK_AFTER_MS = 2000;
const LOOK_AGAIN_MS = 10;

let made = 0;

export class JobCgroup {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Names the cgroup by the worker's PID, so that cgroups of dead workers can be found. */
  static make(parent: string): JobCgroup {
    const folder = join(parent, `${PREFIX}${process.pid}.${++made}`);
    mkdirSync(folder);
    return new JobCgroup(folder);
  }

  /** File to which a process writes its PID to join. */
  get entrance(): string {
    return join(this.folder, ENTRANCE);
  }

  /** Throws if the kernel rejects a value. */
  limit(limits: ResourceLimits, controllers: ReadonlySet<Controller>): void {
    const { memoryBytes, cpuPercent, processes } = limits;
    if (memoryBytes !== undefined && controllers.has('memory')) {
      this.write('memory.max', memoryBytes);
      attempt(() => this.write('memory.swap.max', 0)); // swapping would only slow it down
      attempt(() => this.write('memory.oom.group', 1));
    }
    if (processes !== undefined && controllers.has('pids')) this.write('pids.max', processes);
    if (cpuPercent !== undefined && controllers.has('cpu'))
      this.write('cpu.max', `${Math.round((cpuPercent / 100) * CPU_PERIOD_US)} ${CPU_PERIOD_US}`);
  }

  private write(name: string, value: string | number): void {
    writeFileSync(join(this.folder, name), String(value));
  }

  /** True if a process was killed for lack of memory, or a fork was rejected, since the cgroup was created. */
  get hasRunOutOfMemory(): boolean {
    return this.counted('memory.events', 'oom_kill') > 0;
  }

  get hasRunOutOfProcesses(): boolean {
    return this.counted('pids.events', 'max') > 0;
  }

  get usage(): Usage | null {
    const peak = Number(read(join(this.folder, 'memory.peak')).trim() || Number.NaN);
    const ms = (name: string): number | null => {
      const us = this.number('cpu.stat', name);
      return us === null ? null : Math.round(us / 1000);
    };
    return usageFrom(Number.isNaN(peak) ? null : peak, ms('user_usec'), ms('system_usec'));
  }

  private counted(file: string, name: string): number {
    return this.number(file, name) ?? 0;
  }

  private number(file: string, name: string): number | null {
    const found = new RegExp(`^${name} (\\d+)$`, 'm').exec(read(join(this.folder, file)))?.[1];
    return found === undefined ? null : Number(found);
  }

  /** Kills all processes and removes the cgroup with its children. */
  async remove(): Promise<void> {
    const deadline = performance.now() + STUCK_AFTER_MS;
    while (!isRemoved(this.folder) && performance.now() < deadline) {
      this.kill();
      await sleep(LOOK_AGAIN_MS);
    }
  }

  /** Before Linux 5.14, processes are killed one by one until none is left. */
  private kill(): void {
    if (existsSync(join(this.folder, 'cgroup.kill'))) attempt(() => this.write('cgroup.kill', 1));
    else for (const pid of membersOf(this.entrance)) attempt(() => process.kill(pid, 'SIGKILL'));
  }

  /** Removes cgroups of dead workers and kills their processes. */
  static async removeAbandoned(parent: string): Promise<void> {
    const abandoned = foldersIn(parent).filter((name) => {
      const pid = Number(name.slice(PREFIX.length).split('.')[0]);
      return name.startsWith(PREFIX) && pid !== process.pid && processEntry(pid) === null;
    });
    await Promise.all(abandoned.map((name) => new JobCgroup(join(parent, name)).remove()));
  }
}

/** Removes the innermost first, because a cgroup with children cannot be removed. */
function isRemoved(folder: string): boolean {
  if (attempt(() => rmdirSync(folder)) || !existsSync(folder)) return true;
  for (const name of foldersIn(folder)) isRemoved(join(folder, name));
  return attempt(() => rmdirSync(folder));
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}
