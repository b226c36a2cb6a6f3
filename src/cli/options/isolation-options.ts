// The flags that say what a job sees of the machine and who it runs as.

import { BUILT_IN_SANDBOXES } from '../../job/isolation/sandbox-profile.ts';
import type { OptionSpec } from '../command.ts';

export const CONFINEMENT_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  sandbox: {
    kind: 'text',
    topic: 'limits',
    value: 'PROFILE',
    help: `sandbox profile of the job: ${BUILT_IN_SANDBOXES.join(', ')} or a custom one`,
  },
  user: {
    kind: 'text',
    topic: 'limits',
    value: 'NAME',
    help: 'user that runs the job (requires a worker running as root)',
  },
};
