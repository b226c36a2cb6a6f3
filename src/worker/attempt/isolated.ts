// Starting a command with what confines it, if anything does; the code for that is loaded when the first job needs it.

import type { Surroundings } from '../../isolation/isolate.ts';
import type { Confinement } from '../../job/isolation/isolation.ts';
import { NO_SANDBOX } from '../../job/isolation/sandbox-profile.ts';
import type { Exit } from '../../process/spawn/exit.ts';
import { type Launch, type Launched, launch } from '../../process/spawn/launch.ts';
import type { Starter } from '../../process/spawn/start.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Task } from '../../store/store.ts';

/** What holds for one attempt. */
export interface Confining {
  /** null: nothing. */
  readonly confinement: Confinement | null;
  /** Why it must not be started; null: it may. */
  readonly refusal: string | null;
  readonly isSandboxed: boolean;
  /** Its queue or a setting chose the sandbox, not the job. */
  readonly isSandboxRequired: boolean;
  /** The files through which it talks to its worker are in a folder of their own. */
  readonly isApart: boolean;
  /** That folder belongs to another user. */
  readonly isOtherUser: boolean;
}

interface Context {
  readonly settings: () => Settings;
  readonly starter: Starter;
  readonly place: Surroundings['place'];
  readonly user: string | null;
}

const UNCONFINED: Confining = {
  confinement: null,
  refusal: null,
  isSandboxed: false,
  isSandboxRequired: false,
  isApart: false,
  isOtherUser: false,
};

const isRoot = process.getuid?.() === 0;

export function confiningOf(
  { queue, confinement: own }: Pick<Task, 'queue' | 'confinement'>,
  { settings, place, user }: Context,
): Confining {
  const inForce = settings().confinement;
  const said = inForce.of(queue, own);
  if (said === undefined) return refused(`the isolation settings of queue '${queue}' are invalid`);
  const conflict = own && inForce.conflict(queue, own);
  if (conflict) return refused(conflict);
  if (said === null && user === null && !isRootDoubtful(settings(), place)) return UNCONFINED;
  const confinement = user === null ? (said ?? {}) : { user, ...said };
  const isSandboxed = (confinement.sandbox ?? NO_SANDBOX) !== NO_SANDBOX;
  const isOtherUser = isRoot && !AS_ROOT.includes(confinement.user ?? 'root');
  const isSandboxRequired = inForce.isSandboxRequired(queue);
  const isApart = isSandboxed || isOtherUser;
  return { confinement, refusal: null, isSandboxed, isSandboxRequired, isApart, isOtherUser };
}

const AS_ROOT = ['root', '0'];

const refused = (refusal: string): Confining => ({ ...UNCONFINED, refusal });

/** Whether a job for which nobody names a user must be checked before it runs as root. */
const isRootDoubtful = (settings: Settings, { hasOtherOwner }: Surroundings['place']): boolean =>
  isRoot && (hasOtherOwner || settings.value('run_as_root') === 'refused');

export function launchAs(
  { confinement, refusal, isSandboxRequired }: Confining,
  start: Launch,
  own: () => Pick<Surroundings, 'logPath' | 'lease' | 'vault' | 'needs'>,
  { settings, starter, place, user }: Context,
): Launched {
  if (refusal !== null) return notLaunched(refusal);
  if (confinement === null) return launch(start, starter);
  const surroundings = { ...own(), settings: settings(), place, workerUser: user, isSandboxRequired };
  const launched = import('../../isolation/isolate.ts').then((confine) =>
    confine.launchConfined(start, starter, confinement, surroundings),
  );
  return {
    pid: launched.then(({ pid }) => pid).catch(() => null),
    exit: launched.then(({ exit }) => exit).catch(notStarted),
  };
}

const notLaunched = (reason: string): Launched => ({
  pid: Promise.resolve(null),
  exit: Promise.resolve(notStarted(new Error(reason))),
});

const notStarted = (error: Error): Exit => ({
  outcome: 'not_started',
  exitCode: null,
  signal: null,
  error: `could not start: ${error.message}`,
});
