// The flags that say what a job sees of the machine and who it runs as.

import { BUILT_IN_SANDBOXES } from '../../job/isolation/sandbox-profile.ts';
import type { OptionSpec } from '../command.ts';

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
