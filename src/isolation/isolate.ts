// Starting a command under confinement: each step wraps what the one before made, the sandbox innermost and the limits
// outermost, and says afterwards what only it can know of the end. A step that cannot do its part refuses: nothing is ever
// started with less confinement than was asked for.

import type { Confinement } from '../job/isolation/isolation.ts';
import type { Exit } from '../process/spawn/exit.ts';
import { argvOf, type Launch, type Launched, launch } from '../process/spawn/launch.ts';
import type { Starter } from '../process/spawn/start.ts';
import type { Settings } from '../settings/settings.ts';
import { runAs } from './identity.ts';
import { withLimits } from './limits/enforce-limits.ts';
import { forCommandAlone } from './loader-variables.ts';
import { inSandbox } from './sandbox/sandbox.ts';
import { withSecrets } from './secrets.ts';

/** What a step is told besides the confinement. */
export interface IsolationContext {
  readonly settings: Settings;
  /** Names the attempt, for files and groups of its own. */
  readonly logPath: string;
  /** The mark in the environment of its processes. */
  readonly lease: string;
  readonly place: QueuePlace;
  readonly vault: SecretSource;
  /** Files that the job needs, whatever its sandbox shows. */
  readonly needs: readonly string[];
  /** The queue or a setting chose the sandbox, so the job may not choose what it mounts. */
  readonly isSandboxRequired: boolean;
  /** Who the worker was told to run jobs as; null: nobody in particular. */
  readonly workerUser: string | null;
}

/** Where the queue itself is: no job needs to see it. */
export interface QueuePlace {
  /** null: the database is on a server. */
  readonly file: string | null;
  readonly folder: string;
  readonly logs: string;
  readonly run: string;
  /** The database file does not belong to root: root must not do whatever it says. */
  readonly hasOtherOwner: boolean;
}

/** The secrets that the job may be given. */
export interface SecretSource {
  /** Throws why it cannot be had. */
  readonly valueOf: (name: string) => Promise<Buffer>;
  /** Called with all secrets that the job gets, before it is started. */
  readonly hide: (values: readonly Buffer[]) => void;
  /** For files of this attempt; it need not be there yet. */
  readonly folder: string;
}

/** A start with its command as a list, whatever it was before. */
export interface ConfinedStart extends Launch {
  readonly command: readonly string[];
  /** Files and folders that the job needs beyond what its sandbox shows, and may write to. */
  readonly needs: readonly string[];
}

export interface Wrapped {
  readonly start: ConfinedStart;
  /** Called once when it runs. */
  readonly started?: ((pid: number) => void) | undefined;
  /** Called once when the command has ended, or could not be started: cleans up, and may know better why it ended. */
  readonly after?: (exit: Exit) => Exit | Promise<Exit>;
}

interface WholeStart {
  readonly start: ConfinedStart;
  readonly started: (pid: number) => void;
  readonly after: (exit: Exit) => Promise<Exit>;
}

export type Step = (
  start: ConfinedStart,
  confinement: Confinement,
  context: IsolationContext,
) => Wrapped | Promise<Wrapped>;

export { Refusal } from './refusal.ts';

const STEPS: readonly Step[] = [withSecrets, inSandbox, runAs, withLimits];

export function launchConfined(
  start: Launch,
  starter: Starter,
  confinement: Confinement,
  context: IsolationContext,
): Launched {
  const launched = wrapped(start, confinement, context).then(
    ({ start, started, after }) => {
      const { pid, exit } = launch(start, starter);
      void pid.then((known) => known !== null && started(known));
      return { pid, exit: exit.then(after) };
    },
    (error: Error) => notStarted(error),
  );
  return { pid: launched.then(({ pid }) => pid), exit: launched.then(({ exit }) => exit) };
}

async function wrapped(
  start: Launch,
  confinement: Confinement,
  context: IsolationContext,
): Promise<WholeStart> {
  const afters: Required<Wrapped>['after'][] = [];
  const starteds: ((pid: number) => void)[] = [];
  const started = (pid: number): void => {
    for (const step of starteds) step(pid);
  };
  const after = async (exit: Exit): Promise<Exit> => {
    let known = exit;
    for (const step of afters.toReversed()) known = await step(known);
    return known;
  };
  const command = argvOf(start);
  let current: ConfinedStart = { ...start, command, needs: context.needs };
  try {
    for (const step of STEPS) {
      const next = await step(current, confinement, context);
      current = next.start;
      if (next.started) starteds.push(next.started);
      if (next.after) afters.push(next.after);
    }
    current = forCommandAlone(current, confinement, command.length);
  } catch (error) {
    await after(refused(error as Error));
    throw error;
  }
  return { start: current, started, after };
}

const notStarted = (error: Error): Launched => ({
  pid: Promise.resolve(null),
  exit: Promise.resolve(refused(error)),
});

const refused = (error: Error): Exit => ({
  outcome: 'not_started',
  exitCode: null,
  signal: null,
  error: `could not start: ${error.message}`,
});
