// The flags that say what a job sees of the machine and who it runs as; for a queue the same, each with `none` or `anybody` to
// take it back.

import { BUILT_IN_SANDBOXES } from '../job/sandbox-profile.ts';
import type { Context, OptionSpec } from './command.ts';

export const CONFINEMENT_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  sandbox: {
    kind: 'text',
    topic: 'limits',
    value: 'PROFILE',
    means: `what it sees of the machine: ${BUILT_IN_SANDBOXES.join(', ')} or a profile of yours`,
  },
  user: {
    kind: 'text',
    topic: 'limits',
    value: 'NAME',
    means: 'run it as this user; for workers of root',
  },
};

/** Said of a queue, they are required of its jobs. */
export const QUEUE_CONFINEMENT_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  sandbox: {
    kind: 'text',
    value: 'PROFILE',
    means: 'run its jobs in this sandbox, whatever they say; any: as they say',
  },
  user: {
    kind: 'text',
    value: 'NAME',
    means: 'run its jobs as this user, whatever they say; any: as they say',
  },
};

/** As they say: what takes a requirement back. */
const ANY = 'any';

/** What was said of a queue; null takes it back. */
export function confinementSaid({ options }: Context): Readonly<Record<string, string | null>> {
  const said = ['sandbox', 'user'].map((name) => [name, options.text(name)] as const);
  return Object.fromEntries(
    said.flatMap(([name, text]) => (text === undefined ? [] : [[name, text === ANY ? null : text]])),
  );
}
