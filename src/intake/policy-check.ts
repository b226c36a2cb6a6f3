// Applies the policy to new jobs, and to claimed ones before the start. Rejections are recorded in the audit log.
// Loaded only if there is a policy.

import { actorOn } from '../access/actor.ts';
import { QueueError } from '../errors/errors.ts';
import type { Hooks } from '../job/flow/hooks.ts';
import {
  type Enqueuer,
  inheritable,
  limitsVariables,
  type Machine,
  type Moment,
  type PolicyRejection,
  type PolicySubject,
  rejectionOf,
  rejectionOfHooks,
} from '../job/isolation/policy.ts';
import { argvOf } from '../process/spawn/launch.ts';
import { programFile, realFolder } from '../process/spawn/program-file.ts';
import { policyOf } from '../settings/policy.ts';
import type { Settings } from '../settings/settings.ts';
import type { Claimed, ActivityEntry, Store } from '../store/store.ts';

/** Location and enqueuer of new jobs. */
export interface Asking {
  readonly settings: Settings;
  /** Null for a user of this machine. */
  readonly who: Enqueuer | 'schedule' | null;
  /** Variables of the jobs; null for their worker's, which are unknown here. */
  readonly variables: Readonly<Record<string, string | undefined>> | null;
}

/** Returns a function that returns why a job must not be enqueued, or null. */
export function askerOf(asking: Asking): (job: PolicySubject) => PolicyRejection | null {
  const policy = policyOf(asking.settings);
  if (policy === null) return () => null;
  const moment = momentOf(asking);
  // If programs are restricted, jobs use their worker's PATH, which is unknown here.
  const variables = limitsVariables(policy) ? null : asking.variables;
  const known = new Map<string, Machine>(); // thousands of jobs share few directories
  return (job) => {
    const key = `${job.env.PATH ?? ''}\n${job.cwd ?? ''}`;
    const machine = known.get(key) ?? machineFor(job, asking.settings, variables);
    known.set(key, machine);
    return rejectionOf(policy, job, machine, moment);
  };
}

const momentOf = ({ who }: Asking): Moment => ({
  enqueuedBy: who === 'schedule' ? null : (who ?? localUser()),
});

/** Returns the first rejection, or null if all jobs are allowed. */
export function rejectionAmong(jobs: readonly PolicySubject[], asking: Asking): PolicyRejection | null {
  const ask = askerOf(asking);
  for (const job of jobs) {
    const rejected = ask(job);
    if (rejected) return rejected;
  }
  return null;
}

/** Throws rejected_by_policy, which is recorded, unless all jobs are allowed. */
export async function checkNew(
  store: Store,
  jobs: readonly PolicySubject[],
  asking: Asking & { readonly who: Enqueuer | null },
): Promise<void> {
  const rejected = rejectionAmong(jobs, asking);
  if (rejected === null) return;
  await recordRejection(store, asking.who, rejected.reason);
  throw new QueueError('rejected_by_policy', { ...rejected });
}

/** Checks hooks of a queue, a group or all jobs. Throws rejected_by_policy, which is recorded. */
export async function checkHooks(
  store: Store,
  hooks: Hooks,
  asking: Pick<Asking, 'settings'> & { readonly who: Enqueuer | null },
): Promise<void> {
  const policy = policyOf(asking.settings);
  if (policy === null) return;
  const machine = machineFor(NOWHERE, asking.settings, null);
  const rejected = rejectionOfHooks(policy, hooks, machine, momentOf({ ...asking, variables: null }));
  if (rejected === null) return;
  await recordRejection(store, asking.who, rejected.reason);
  throw new QueueError('rejected_by_policy', { ...rejected });
}

/** A hook runs in its job's directory, which may be anywhere. */
const NOWHERE = { command: '', queue: '', cwd: null, env: {}, confinement: null };

/** Returns why a claimed job must not start, or null. */
export function rejectionAtStart(claimed: Claimed, settings: Settings, environment: NodeJS.ProcessEnv): string | null {
  const policy = policyOf(settings);
  if (policy === null) return null;
  const ofShell = inheritable(policy, claimed.environment ?? {});
  const machine = machineFor(claimed.job, settings, { ...environment, ...ofShell });
  return rejectionOf(policy, claimed.job, machine, 'start')?.reason ?? null;
}

export function recordRejection(store: Store, who: Enqueuer | null, reason: string, jobs = 1): Promise<void> {
  const { name, via } = who ?? localUser();
  const detail = { reason, ...(jobs > 1 && { jobs }) };
  return record(store, { actor: name, via, target: null, detail });
}

/** Records the rejection of a job before its start, or of a scheduled job. */
export const recordRejectedBy = (store: Store, workerId: string, target: string, reason: string): Promise<void> =>
  record(store, { actor: workerId, via: 'worker', target, detail: { reason } });

/** The rejection stands even if it cannot be recorded. */
const record = (store: Store, entry: Pick<ActivityEntry, 'actor' | 'via' | 'target' | 'detail'>): Promise<void> =>
  store.activity.record({ at: store.now(), action: 'rejected', ...entry }).catch(() => {});

const localUser = (): Enqueuer => ({ name: actorOn(process.env), via: 'cli', role: null });

function machineFor({ env, cwd }: PolicySubject, settings: Settings, variables: Asking['variables']): Machine {
  const folder = (): string => cwd ?? process.cwd();
  const shell = String(settings.value('shell'));
  const path = env.PATH ?? variables?.PATH;
  const isKnown = env.PATH !== undefined || variables !== null;
  return {
    argv: (command) => argvOf({ command, shell }),
    programPath: remembering((name) => (name.includes('/') || isKnown ? programFile(name, path, folder()) : null)),
    realFolder: remembering((asked) => realFolder(asked ?? folder())),
  };
}

function remembering<K, V>(look: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const found = known.get(key) ?? look(key);
    known.set(key, found);
    return found;
  };
}
