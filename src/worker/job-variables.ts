// What a job finds in its environment besides what it inherits and brings along: where it runs, and who it is.

import { variablesOfWorker } from '../job/kept-variables.ts';
import { LEASE_VARIABLE } from '../process/process-table.ts';
import { leaseMark } from '../process/tree.ts';
import type { Claimed, Task } from '../store/store.ts';
import { isoOf } from '../time/iso.ts';
import type { AttemptContext } from './attempt-context.ts';

interface Surroundings {
  readonly workerId: string;
  readonly db: string;
}

/** Of the shell that enqueued it, or of its worker. */
export function inheritedBy(
  { environment: ofShell }: Pick<Claimed, 'environment'>,
  { environment, place, settings }: Pick<AttemptContext, 'environment' | 'place' | 'settings'>,
): NodeJS.ProcessEnv {
  if (ofShell !== null) return ofShell;
  const names = settings().value('inherit_from_worker') as string | null;
  return variablesOfWorker(environment, names, place.file === null);
}

/** As a shell would say it: programs that are started without one look there too. */
export const workingFolder = ({ cwd }: Task): Record<string, string> => (cwd === null ? {} : { PWD: cwd });

export function jobVariables(claimed: Claimed, { workerId, db }: Surroundings): Record<string, string> {
  const { id, attempts, queue, group, scheduledAt } = claimed.job;
  const variables: Record<string, string> = {
    QUEUECTL_JOB_ID: id,
    QUEUECTL_ATTEMPT: String(attempts),
    QUEUECTL_QUEUE: queue,
    QUEUECTL_WORKER_ID: workerId,
    QUEUECTL_DB: db,
    [LEASE_VARIABLE]: leaseMark(workerId, claimed),
  };
  if (group !== null) variables.QUEUECTL_GROUP = group;
  if (scheduledAt !== null) variables.QUEUECTL_SCHEDULED_AT = isoOf(scheduledAt);
  return variables;
}
