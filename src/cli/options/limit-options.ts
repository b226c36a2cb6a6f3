// The flags that limit how much of the machine a job may use.

import { LIMIT_MODES } from '../../job/input/limits-input.ts';
import { IO_CLASSES } from '../../job/isolation/resource-limits.ts';
import type { OptionSpec } from '../command.ts';

export const LIMIT_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  memory: {
    kind: 'text',
    topic: 'limits',
    value: 'SIZE',
    help: 'memory limit for all processes of the job, for example 512M; also reserved before it starts',
  },
  'cpu-time': {
    kind: 'text',
    topic: 'limits',
    value: 'DURATION',
    help: 'CPU time limit of the job, for example 60s or 5m',
  },
  cpu: {
    kind: 'text',
    topic: 'limits',
    value: 'PERCENT',
    help: 'CPU limit in percent of one core: 50%, or 200% for two cores',
  },
  processes: { kind: 'integer', topic: 'limits', value: 'N', help: 'maximum number of processes of the job' },
  'open-files': {
    kind: 'integer',
    topic: 'limits',
    value: 'N',
    help: 'maximum number of open files per process',
  },
  'file-size': {
    kind: 'text',
    topic: 'limits',
    value: 'SIZE',
    help: 'maximum size of each file that the job writes, for example 1G',
  },
  nice: {
    kind: 'integer',
    topic: 'limits',
    value: 'N',
    help: 'nice value, from 0 (normal) to 19 (lowest priority)',
  },
  'io-class': {
    kind: 'text',
    topic: 'limits',
    value: 'CLASS',
    help: `I/O scheduling class: ${IO_CLASSES.join(', ')}`,
    choices: IO_CLASSES,
  },
  limits: {
    kind: 'text',
    topic: 'limits',
    value: 'MODE',
    help: `if a limit cannot be enforced: reject the job (strict) or run it anyway (best-effort)`,
    choices: LIMIT_MODES,
  },
};
