// Enforces a job's resource limits. A wrapper shell limits itself, joins a cgroup if available, and becomes the
// command. Without a cgroup, a watcher checks the processes. A job whose limits cannot be enforced does not start.

import type { Confinement } from '../../job/isolation/isolation.ts';
import { hasLimits, type ResourceLimits } from '../../job/isolation/resource-limits.ts';
import { joinedUsage } from '../../job/usage.ts';
import type { Exit } from '../../process/spawn/exit.ts';
import { onLinux } from '../../process/tree/proc.ts';
import { type Controller, findDelegated, handOn, isDelegated } from './cgroup.ts';
import { read } from './cgroup-files.ts';
import type { ConfinedStart, Step, IsolationContext, Wrapped } from '../isolate.ts';
import { JobCgroup } from './job-cgroup.ts';
import { type Means, planFor } from './limit-plan.ts';
import { outOfMemory, reasonOf, tooManyProcesses } from './limit-reasons.ts';
import { limitedCommand } from './limit-script.ts';
import { findProgram } from '../programs.ts';
import { Rejection } from '../rejection.ts';
import { isAnythingWatched, TreeWatch } from './tree-watch.ts';

export const withLimits: Step = async (
  start: ConfinedStart,
  { limits }: Confinement,
  { lease }: IsolationContext,
): Promise<Wrapped> => {
  if (!hasLimits(limits)) return { start };
  const groups = await groupsHere();
  const plan = planFor(limits, meansHere(groups));
  if (plan.rejected.length > 0 && !limits.isBestEffort) throw new Rejection(rejectionText(plan.rejected));
  const group = plan.isGrouped && groups.folder !== null ? makeGroup(groups.folder, limits, groups) : null;
  const watch = isAnythingWatched(plan.watch) ? new TreeWatch(plan.watch, lease) : null;
  const entrance = group === null ? {} : { entrance: group.entrance };
  return {
    start: { ...start, command: limitedCommand(start.command, { ...plan.script, ...entrance }) },
    started: (pid) => watch?.begin(pid),
    after: (exit) => ended(exit, limits, group, watch),
  };
};

const rejectionText = (rejected: readonly string[]): string =>
  `cannot enforce ${rejected.join('; ')} (for details run queuectl doctor; to run without the limit use --limits best-effort)`;

function makeGroup(parent: string, limits: ResourceLimits, { controllers }: Pick<Groups, 'controllers'>): JobCgroup {
  const group = JobCgroup.make(parent);
  try {
    group.limit(limits, controllers);
    return group;
  } catch (error) {
    void group.remove();
    throw new Rejection(`cannot limit the job's cgroup: ${(error as Error).message}`);
  }
}

/** Stops remaining processes, and reports a limit if it caused the exit. */
async function ended(
  exit: Exit,
  limits: ResourceLimits,
  group: JobCgroup | null,
  watch: TreeWatch | null,
): Promise<Exit> {
  await watch?.end();
  const usage = joinedUsage(joinedUsage(exit.usage, watch?.usage), group?.usage);
  const seen = watch?.reason?.(usage?.peakMemoryBytes ?? null);
  const reason = seen ?? reasonOfGroup(exit, limits, group) ?? reasonOf(exit, limits, usage);
  await group?.remove();
  return reason === null ? { ...exit, usage } : { ...exit, usage, outcome: 'limit', error: reason };
}

function reasonOfGroup(exit: Exit, limits: ResourceLimits, group: JobCgroup | null): string | null {
  if (group === null || exit.outcome === 'completed') return null;
  if (limits.memoryBytes !== undefined && group.hasRunOutOfMemory)
    return outOfMemory(limits.memoryBytes, group.usage?.peakMemoryBytes ?? null);
  if (limits.processes !== undefined && group.hasRunOutOfProcesses) return tooManyProcesses(limits.processes);
  return null;
}

interface Groups {
  /** Parent directory of job cgroups; null if unavailable. */
  readonly folder: string | null;
  readonly controllers: ReadonlySet<Controller>;
  readonly whyNot: string;
}

let here: Promise<Groups> | undefined;

/** Cached once available, because a worker's own cgroup does not change. Processes that share it may still leave. */
function groupsHere(): Promise<Groups> {
  here ??= prepare().then((groups) => {
    if (groups.folder === null) here = undefined;
    return groups;
  });
  return here;
}

async function prepare(): Promise<Groups> {
  const found = findDelegated();
  if (!isDelegated(found)) return { folder: null, controllers: new Set(), whyNot: found.problem };
  const controllers = handOn(found);
  await JobCgroup.removeAbandoned(found.folder);
  const whyNot = `the cgroup at ${found.folder} does not delegate its controllers`;
  return { folder: controllers.size > 0 ? found.folder : null, controllers, whyNot };
}

const meansHere = ({ controllers, whyNot }: Groups): Means => ({
  controllers,
  whyNot,
  canWatch: onLinux,
  hasProgram,
  tasks: Number(read('/proc/loadavg').split(' ')[3]?.split('/')[1] ?? 0),
});

const hasProgram = (name: string): boolean => findProgram(name, `${process.env.PATH ?? ''}:/usr/bin:/bin`) !== null;
