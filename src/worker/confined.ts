// Starting a command under confinement, the code for which is loaded when the first job asks for it.

import type { Confinement } from '../job/confinement.ts';
import type { Surroundings } from '../confine/confine.ts';
import type { Exit, Launch, Launched } from '../process/launch.ts';
import type { Starter } from '../process/start.ts';

export function launchConfined(
  start: Launch,
  starter: Starter,
  confinement: Confinement,
  surroundings: Surroundings,
): Launched {
  const launched = import('../confine/confine.ts').then((confine) =>
    confine.launchConfined(start, starter, confinement, surroundings),
  );
  return {
    pid: launched.then(({ pid }) => pid).catch(() => null),
    exit: launched.then(({ exit }) => exit).catch(notStarted),
  };
}

const notStarted = (error: Error): Exit => ({
  outcome: 'not_started',
  exitCode: null,
  signal: null,
  error: `could not start: ${error.message}`,
});
