// What a job finds in its environment besides what it inherits and brings along: where it runs, and who it is.

import { variablesOfWorker } from '../../job/environment/kept-variables.ts';
import { inheritable, limitsVariables } from '../../job/isolation/policy.ts';
import { policyOf } from '../../settings/policy.ts';
import { LEASE_VARIABLE } from '../../process/tree/process-table.ts';
import { leaseMark } from '../../process/tree/tree.ts';
import type { Claimed, Task } from '../../store/store.ts';
import { isoOf } from '../../time/iso.ts';
import type { AttemptContext } from './attempt-context.ts';

interface WorkerContext {
  readonly workerId: string;
  readonly db: string;
}

/**
 * Of the shell that enqueued it, or of its worker. Where a policy prescribes programs, the shell's variables could turn them
 * into others, so the job has those of the worker and only the allowed ones of the shell.
 */
export function inheritedBy(
  { environment: ofShell }: Pick<Claimed, 'environment'>,
  { environment, place, settings }: Pick<AttemptContext, 'environment' | 'place' | 'settings'>,
): NodeJS.ProcessEnv {
  const policy = policyOf(settings());
  const areLimited = policy !== null && limitsVariables(policy);
  if (ofShell !== null && !areLimited) return ofShell;
  const names = settings().value('inherit_from_worker') as string | null;
  const ofWorker = variablesOfWorker(environment, names, place.file === null);
  return ofShell === null ? ofWorker : { ...ofWorker, ...inheritable(policy, ofShell) };
}

/** As a shell would say it: programs that are started without one look there too. */
export const workingFolder = ({ cwd }: Task): Record<string, string> => (cwd === null ? {} : { PWD: cwd });

export function jobVariables(claimed: Claimed, { workerId, db }: WorkerContext): Record<string, string> {
  const { id, attempts, queue, group, scheduledAt, hookOf, env } = claimed.job;
  const variables: Record<string, string> = {
    QUEUECTL_JOB_ID: (hookOf !== null && env.QUEUECTL_HOOK_JOB_ID) || id, // a hook acts for the job that it is about
    QUEUECTL_ATTEMPT: String(attempts),
    QUEUECTL_QUEUE: queue,
    QUEUECTL_WORKER_ID: workerId,
    QUEUECTL_DB: db,
    [LEASE_VARIABLE]: leaseMark(workerId, claimed),
  };
  if (hookOf !== null) variables.QUEUECTL_HOOK_ID = id;
  if (group !== null) variables.QUEUECTL_GROUP = group;
  if (scheduledAt !== null) variables.QUEUECTL_SCHEDULED_AT = isoOf(scheduledAt);
  return variables;
}
