// Variables that a worker sets for a job, such as its ID and queue, and the ones that a job inherits.

import { variablesOfWorker } from '../../job/environment/kept-variables.ts';
import { inheritable, limitsVariables } from '../../job/isolation/policy.ts';
import { policyOf } from '../../settings/policy.ts';
import { LEASE_VARIABLE } from '../../process/tree/process-table.ts';
import { leaseMark } from '../../process/tree/tree.ts';
import type { Claimed, Task } from '../../store/store.ts';
import { isoOf } from '../../time/iso.ts';
import type { AttemptContext } from './attempt-context.ts';

/**
 * Inherits from the enqueuing shell, else from the worker. If a policy restricts programs, the shell's variables could
 * redirect them, so the job inherits from the worker and gets only the allowed variables of the shell.
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

/** Sets PWD as a shell would, because programs that are started without a shell also read it. */
export const workingFolder = ({ cwd }: Task): Record<string, string> => (cwd === null ? {} : { PWD: cwd });

export function jobVariables(
  claimed: Claimed,
  { workerId, db }: Pick<AttemptContext, 'workerId' | 'db'>,
): Record<string, string> {
  const { id, attempts, queue, group, scheduledAt, hookOf, env } = claimed.job;
  const variables: Record<string, string> = {
    QUEUECTL_JOB_ID: (hookOf !== null && env.QUEUECTL_HOOK_JOB_ID) || id, // a hook acts for its subject job
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
