// Starting a command under confinement: each step wraps what the one before made, the sandbox innermost and the limits
// outermost, and says afterwards what only it can know of the end. A step that cannot do its part refuses: nothing is ever
// started with less confinement than was asked for.

import type { Confinement } from '../job/confinement.ts';
import { argvOf, type Exit, type Launch, type Launched, launch } from '../process/launch.ts';
import type { Starter } from '../process/start.ts';
import type { Settings } from '../settings/settings.ts';
import { runAs } from './identity.ts';
import { withLimits } from './limits.ts';
import { inSandbox } from './sandbox.ts';
import { withSecrets } from './secrets.ts';

/** What a step is told besides the confinement. */
export interface Surroundings {
  readonly settings: Settings;
  /** Names the attempt, for files and groups of its own. */
  readonly logPath: string;
}

/** A start with its command as a list, whatever it was before. */
export interface ConfinedStart extends Launch {
  readonly command: readonly string[];
  /** Files and folders that the job needs beyond what its sandbox shows, and may write to. */
  readonly needs: readonly string[];
}

export interface Wrapped {
  readonly start: ConfinedStart;
  /** Called once when the command has ended, or could not be started: cleans up, and may know better why it ended. */
  readonly after?: (exit: Exit) => Exit | Promise<Exit>;
}

export type Step = (
  start: ConfinedStart,
  confinement: Confinement,
  surroundings: Surroundings,
) => Wrapped | Promise<Wrapped>;

/** What a step throws when it cannot confine as asked: why, and what to do about it. */
export class Refusal extends Error {}

const STEPS: readonly Step[] = [withSecrets, inSandbox, runAs, withLimits];

export function launchConfined(
  start: Launch,
  starter: Starter,
  confinement: Confinement,
  surroundings: Surroundings,
): Launched {
  const launched = wrapped(start, confinement, surroundings).then(
    ({ start, after }) => {
      const { pid, exit } = launch(start, starter);
      return { pid, exit: exit.then(after) };
    },
    (error: Error) => notStarted(error),
  );
  return { pid: launched.then(({ pid }) => pid), exit: launched.then(({ exit }) => exit) };
}

async function wrapped(
  start: Launch,
  confinement: Confinement,
  surroundings: Surroundings,
): Promise<Required<Wrapped>> {
  const afters: Required<Wrapped>['after'][] = [];
  const after = async (exit: Exit): Promise<Exit> => {
    let known = exit;
    for (const step of afters.toReversed()) known = await step(known);
    return known;
  };
  let current: ConfinedStart = { ...start, command: argvOf(start), needs: [] };
  try {
    for (const step of STEPS) {
      const next = await step(current, confinement, surroundings);
      current = next.start;
      if (next.after) afters.push(next.after);
    }
  } catch (error) {
    await after(refused(error as Error));
    throw error;
  }
  return { start: current, after };
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
