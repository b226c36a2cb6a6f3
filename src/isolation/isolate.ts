// Starts a command with its isolation. Each step wraps the command of the previous one, from the sandbox (innermost) to
// the limits (outermost), and may refine the reported ending. A step that cannot be applied rejects the start: nothing
// ever runs with less isolation than requested.

import type { Confinement } from '../job/isolation/isolation.ts';
import { type Exit, notRun } from '../process/spawn/exit.ts';
import { argvOf, type Launch, launch, type Launched, launchLater, notLaunched } from '../process/spawn/launch.ts';
import type { Starter } from '../process/spawn/start.ts';
import type { Settings } from '../settings/settings.ts';
import { runAs } from './identity.ts';
import { withLimits } from './limits/enforce-limits.ts';
import { inSandbox } from './sandbox/sandbox.ts';
import { withSecrets } from './secrets.ts';
import { Rejection } from './rejection.ts';

/** Input of a step in addition to the isolation itself. */
export interface IsolationContext {
  readonly settings: Settings;
  /** Identifies the attempt in the names of files and cgroups. */
  readonly logPath: string;
  /** Mark in the environment of its processes. */
  readonly lease: string;
  readonly place: QueuePlace;
  readonly vault: SecretSource;
  /** Files that the job needs even if its sandbox does not show them. */
  readonly needs: readonly string[];
  /** True if the queue or a setting requires the sandbox, so that the job cannot choose its mounts. */
  readonly isSandboxRequired: boolean;
  /** User from the worker's own flag; null if unset. */
  readonly workerUser: string | null;
}

/** Location of the queue's files, which no job needs to see. */
export interface QueuePlace {
  /** Null if the database is on a server. */
  readonly file: string | null;
  readonly folder: string;
  readonly logs: string;
  readonly run: string;
  /** True if the database file does not belong to root, so that root must not trust its contents. */
  readonly hasOtherOwner: boolean;
}

/** Source of the job's secrets. */
export interface SecretSource {
  /** Throws the reason if the secret is unavailable. */
  readonly valueOf: (name: string) => Promise<Buffer>;
  /** Called with all secrets of the job before its start, to mask them in its output. */
  readonly hide: (values: readonly Buffer[]) => void;
  /** Directory for files of this attempt; may not exist yet. */
  readonly folder: string;
}

/** A start whose command is an argument list. */
export interface ConfinedStart extends Launch {
  readonly command: readonly string[];
  /** Writable files and directories that the job needs beyond its sandbox. */
  readonly needs: readonly string[];
}

export interface Wrapped {
  readonly start: ConfinedStart;
  /** Called once after the start. */
  readonly started?: (pid: number) => void;
  /** Called once after the exit or a failed start. Cleans up and may refine the ending. */
  readonly after?: (exit: Exit) => Exit | Promise<Exit>;
}

export type Step = (
  start: ConfinedStart,
  confinement: Confinement,
  context: IsolationContext,
) => Wrapped | Promise<Wrapped>;

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
    (error: Error) => notLaunched(rejected(error)),
  );
  return launchLater(launched, rejected);
}

async function wrapped(start: Launch, confinement: Confinement, context: IsolationContext): Promise<Required<Wrapped>> {
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
    current = forCommandOnly(current, confinement, command.length);
  } catch (error) {
    await after(rejected(error as Error));
    throw error;
  }
  return { start: current, started, after };
}

const rejected = ({ message }: Error): Exit => notRun('not_started', `could not start: ${message}`);

// Loader variables such as LD_PRELOAD reach the job's command only. The wrapper programs must not see them, because they
// run with more rights than the job, as root or outside the sandbox.
const OBEYED = /^(LD_|DYLD_|MALLOC_|GLIBC_TUNABLES$|GCONV_PATH$|LOCPATH$|NLSPATH$)/;

/** Sets the variables for the command only, which is the last `words` words of the argument list. */
function forCommandOnly(start: ConfinedStart, { secrets = [] }: Confinement, words: number): ConfinedStart {
  const { command, inherited, own } = start;
  const found = Object.entries({ ...inherited, ...own }).filter(([name]) => OBEYED.test(name));
  if (found.length === 0 || command.length === words) return start;
  const secret = secrets.find(({ variable }) => OBEYED.test(variable));
  if (secret) throw new Rejection(`the secret '${secret.name}' cannot be passed in the variable ${secret.variable}`);
  const setting = found.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const at = command.length - words;
  return {
    ...start,
    command: [...command.slice(0, at), ENV, ...setting, ...command.slice(at)],
    inherited: without(inherited),
    own: without(own),
  };
}

/** Exists on every system and in every sandbox. */
const ENV = '/usr/bin/env';

const without = <T extends Readonly<Record<string, string | undefined>>>(variables: T): T =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !OBEYED.test(name))) as T;
