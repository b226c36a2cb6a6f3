// Starts a command with its isolation, if any. The isolation code is loaded when the first job needs it.

import type { IsolationContext } from '../../isolation/isolate.ts';
import type { Confinement } from '../../job/isolation/isolation.ts';
import { NO_SANDBOX } from '../../job/isolation/sandbox-profile.ts';
import { type Exit, notRun } from '../../process/spawn/exit.ts';
import { type Launch, type Launched, launch, launchLater, notLaunched } from '../../process/spawn/launch.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Task } from '../../store/store.ts';
import type { AttemptContext } from './attempt-context.ts';

/** Isolation in effect for one attempt. */
export interface EffectiveIsolation {
  /** Null if the job is not isolated. */
  readonly confinement: Confinement | null;
  /** Why the job must not start; null if it may. */
  readonly rejection: string | null;
  readonly isSandboxed: boolean;
  /** True if the queue or a setting requires the sandbox. */
  readonly isSandboxRequired: boolean;
  /** True if the files for talking to the worker are in a separate directory. */
  readonly isIsolated: boolean;
  /** True if that directory belongs to another user. */
  readonly isOtherUser: boolean;
}

type Context = Pick<AttemptContext, 'settings' | 'starter' | 'place' | 'user'>;

const NOT_ISOLATED: EffectiveIsolation = {
  confinement: null,
  rejection: null,
  isSandboxed: false,
  isSandboxRequired: false,
  isIsolated: false,
  isOtherUser: false,
};

const isRoot = process.getuid?.() === 0;

export function isolationOf(
  { queue, confinement: own }: Pick<Task, 'queue' | 'confinement'>,
  { settings, place, user }: Context,
): EffectiveIsolation {
  const inForce = settings().confinement;
  const said = inForce.of(queue, own);
  if (said === undefined) return rejected(`the isolation settings of queue '${queue}' are invalid`);
  const conflict = own && inForce.conflict(queue, own);
  if (conflict) return rejected(conflict);
  if (said === null && user === null && !isRootDoubtful(settings(), place)) return NOT_ISOLATED;
  const confinement = user === null ? (said ?? {}) : { user, ...said };
  const isSandboxed = (confinement.sandbox ?? NO_SANDBOX) !== NO_SANDBOX;
  const isOtherUser = isRoot && !AS_ROOT.includes(confinement.user ?? 'root');
  const isSandboxRequired = inForce.isSandboxRequired(queue);
  const isIsolated = isSandboxed || isOtherUser;
  return { confinement, rejection: null, isSandboxed, isSandboxRequired, isIsolated, isOtherUser };
}

const AS_ROOT = ['root', '0'];

const rejected = (rejection: string): EffectiveIsolation => ({ ...NOT_ISOLATED, rejection });

/** True if a job without a named user must be checked before it runs as root. */
const isRootDoubtful = (settings: Settings, { hasOtherOwner }: IsolationContext['place']): boolean =>
  isRoot && (hasOtherOwner || settings.value('run_as_root') === 'rejected');

export function launchIsolated(
  { confinement, rejection, isSandboxRequired }: EffectiveIsolation,
  start: Launch,
  own: () => Pick<IsolationContext, 'logPath' | 'lease' | 'vault' | 'needs'>,
  { settings, starter, place, user }: Context,
): Launched {
  if (rejection !== null) return notLaunched(notStarted(rejection));
  if (confinement === null) return launch(start, starter);
  const context = { ...own(), settings: settings(), place, workerUser: user, isSandboxRequired };
  const launched = import('../../isolation/isolate.ts').then((isolate) =>
    isolate.launchConfined(start, starter, confinement, context),
  );
  return launchLater(launched, ({ message }) => notStarted(message));
}

const notStarted = (reason: string): Exit => notRun('not_started', `could not start: ${reason}`);
