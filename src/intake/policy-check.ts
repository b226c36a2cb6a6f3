// Asking the policy on a machine: about new jobs when they are enqueued, and about a claimed one before it is started.
// Refusals are recorded as activity. Loaded when there is a policy.

import { actorOn } from '../access/actor.ts';
import { QueueError } from '../errors/errors.ts';
import type { Hooks } from '../job/flow/hooks.ts';
import {
  type Enqueuer,
  inheritable,
  limitsVariables,
  type Machine,
  type Moment,
  type PolicyRefusal,
  type PolicySubject,
  refusalOf,
  refusalOfHooks,
} from '../job/isolation/policy.ts';
import { argvOf } from '../process/spawn/launch.ts';
import { programFile, realFolder } from '../process/spawn/program-file.ts';
import { policyOf } from '../settings/policy.ts';
import type { Settings } from '../settings/settings.ts';
import type { Claimed, ActivityEntry, Store } from '../store/store.ts';

/** Where and by whom jobs are enqueued. */
export interface Asking {
  readonly settings: Settings;
  /** null: a user of this machine. */
  readonly who: Enqueuer | 'schedule' | null;
  /** The variables that they will run with; null: those of their worker, which are not known here. */
  readonly variables: Readonly<Record<string, string | undefined>> | null;
}

/** Returns of any job why it may not be enqueued; null: it may. */
export function askerOf(asking: Asking): (job: PolicySubject) => PolicyRefusal | null {
  const policy = policyOf(asking.settings);
  if (policy === null) return () => null;
  const moment = momentOf(asking);
  // Where programs are prescribed, a job has the PATH of its worker, which is not known here.
  const variables = limitsVariables(policy) ? null : asking.variables;
  const known = new Map<string, Machine>(); // thousands of jobs are about few folders
  return (job) => {
    const key = `${job.env.PATH ?? ''}\n${job.cwd ?? ''}`;
    const machine = known.get(key) ?? machineFor(job, asking.settings, variables);
    known.set(key, machine);
    return refusalOf(policy, job, machine, moment);
  };
}

const momentOf = ({ who }: Asking): Moment => ({
  enqueuedBy: who === 'schedule' ? null : (who ?? localUser()),
});

/** Why one of them may not be enqueued; null: all may. */
export function refusalAmong(jobs: readonly PolicySubject[], asking: Asking): PolicyRefusal | null {
  const ask = askerOf(asking);
  for (const job of jobs) {
    const refused = ask(job);
    if (refused) return refused;
  }
  return null;
}

/** All of them may be enqueued; else refused_by_policy, which is recorded. */
export async function checkNew(
  store: Store,
  jobs: readonly PolicySubject[],
  asking: Asking & { readonly who: Enqueuer | null },
): Promise<void> {
  const refused = refusalAmong(jobs, asking);
  if (refused === null) return;
  await recordRefusal(store, asking.who, refused.reason);
  throw new QueueError('refused_by_policy', { ...refused });
}

/** Hooks of a queue, a group or all jobs may be set so; else refused_by_policy, which is recorded. */
export async function checkHooks(
  store: Store,
  hooks: Hooks,
  asking: Pick<Asking, 'settings'> & { readonly who: Enqueuer | null },
): Promise<void> {
  const policy = policyOf(asking.settings);
  if (policy === null) return;
  const machine = machineFor(NOWHERE, asking.settings, null);
  const refused = refusalOfHooks(policy, hooks, machine, momentOf({ ...asking, variables: null }));
  if (refused === null) return;
  await recordRefusal(store, asking.who, refused.reason);
  throw new QueueError('refused_by_policy', { ...refused });
}

/** A hook runs where the job did that it follows, and that may be anywhere. */
const NOWHERE = { command: '', queue: '', cwd: null, env: {}, confinement: null };

/** Why a claimed job must not be started; null: it may. */
export function refusalAtStart(
  claimed: Claimed,
  settings: Settings,
  environment: NodeJS.ProcessEnv,
): string | null {
  const policy = policyOf(settings);
  if (policy === null) return null;
  const ofShell = inheritable(policy, claimed.environment ?? {});
  const machine = machineFor(claimed.job, settings, { ...environment, ...ofShell });
  return refusalOf(policy, claimed.job, machine, 'start')?.reason ?? null;
}

export function recordRefusal(store: Store, who: Enqueuer | null, reason: string, jobs = 1): Promise<void> {
  const { name, via } = who ?? localUser();
  const detail = { reason, ...(jobs > 1 && { jobs }) };
  return record(store, { actor: name, via, target: null, detail });
}

/** Of a job that is not started, or of a schedule whose job is not enqueued. */
export const recordRefusedBy = (
  store: Store,
  workerId: string,
  target: string,
  reason: string,
): Promise<void> => record(store, { actor: workerId, via: 'worker', target, detail: { reason } });

/** It is refused, whether or not that could be written down. */
const record = (
  store: Store,
  entry: Pick<ActivityEntry, 'actor' | 'via' | 'target' | 'detail'>,
): Promise<void> => store.activity.record({ at: store.now(), action: 'refused', ...entry }).catch(() => {});

const localUser = (): Enqueuer => ({ name: actorOn(process.env), via: 'cli', role: null });

function machineFor(
  { env, cwd }: PolicySubject,
  settings: Settings,
  variables: Asking['variables'],
): Machine {
  const folder = (): string => cwd ?? process.cwd();
  const shell = String(settings.value('shell'));
  const path = env.PATH ?? variables?.PATH;
  const isKnown = env.PATH !== undefined || variables !== null;
  return {
    argv: (command) => argvOf({ command, shell }),
    programPath: remembering((name) =>
      name.includes('/') || isKnown ? programFile(name, path, folder()) : null,
    ),
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
