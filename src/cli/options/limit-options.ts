// The flags that limit how much of the machine a job may use.

import { LIMIT_MODES } from '../../job/input/limits-input.ts';
import { IO_CLASSES } from '../../job/isolation/resource-limits.ts';
import type { OptionSpec } from '../command.ts';

export const LIMIT_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  memory: {
    kind: 'text',
    topic: 'limits',
    value: 'SIZE',
    means: 'memory for all its processes together: 512M; also reserved for it',
  },
  'cpu-time': {
    kind: 'text',
    topic: 'limits',
    value: 'DURATION',
    means: 'CPU time that it may use: 60s, 5m',
  },
  cpu: { kind: 'text', topic: 'limits', value: 'PERCENT', means: 'part of a core: 50%, or 200% for two' },
  processes: { kind: 'integer', topic: 'limits', value: 'N', means: 'processes it may have at once' },
  'open-files': { kind: 'integer', topic: 'limits', value: 'N', means: 'files each of them may have open' },
  'file-size': { kind: 'text', topic: 'limits', value: 'SIZE', means: 'size of any file it writes: 1G' },
  nice: { kind: 'integer', topic: 'limits', value: 'N', means: 'let others go first, from 0 to 19' },
  'io-class': {
    kind: 'text',
    topic: 'limits',
    value: 'CLASS',
    means: `how it uses disks beside others: ${IO_CLASSES.join(', ')}`,
    choices: IO_CLASSES,
  },
  limits: {
    kind: 'text',
    topic: 'limits',
    value: 'MODE',
    means: `a limit that cannot be enforced: do not start (strict), or go without it (best-effort)`,
    choices: LIMIT_MODES,
  },
};
