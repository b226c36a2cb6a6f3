// The options of enqueue. The code behind most of them is loaded only when they are used.

import { QueueError } from '../../errors/errors.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { Context, OptionSpecs } from '../command.ts';
import { inRange } from './checks.ts';
import { JOB_OPTIONS } from './job-options.ts';

const MOST_AT_ONCE = 10_000;
const WAIT_INSTEAD = 'workers run next to the database; use --wait to wait for them';

export const ENQUEUE_OPTIONS = {
  ...JOB_OPTIONS,
  file: {
    kind: 'text',
    value: 'FILE',
    help: 'read jobs from a JSON, NDJSON or YAML file; - for stdin',
  },
  lines: { kind: 'flag', help: 'read one command per line from the file or stdin' },
  array: {
    kind: 'text',
    topic: 'workflow',
    value: '0-99%4',
    help: 'create one job per index; %4 runs at most 4 at once; each job reads its index from QUEUECTL_ARRAY_INDEX',
  },
  each: {
    kind: 'text',
    topic: 'workflow',
    value: 'FILE',
    help: 'create one job per line; {} {.} {/} {//} {/.} insert the line and {#} its number; - for stdin',
  },
  'print-id': { kind: 'flag', help: 'print only the job IDs' },
  wait: { kind: 'flag', topic: 'workflow', help: 'wait until the jobs finish and report failures' },
  work: {
    kind: 'integer',
    topic: 'workflow',
    value: 'N',
    help: 'run the jobs in this process, N at once, and wait. Exit codes 126 and 127 are not retried by default',
  },
} satisfies OptionSpecs;

export type EnqueueContext = Context<typeof ENQUEUE_OPTIONS>;

/** Also checks --work. Called before anything is stored. */
export function isAwaited({ options }: EnqueueContext, { local }: Pick<AnyQueue, 'local'>): boolean {
  const concurrency = options.number('work');
  if (concurrency !== undefined && local === null)
    throw new QueueError('not_over_http', { command: 'enqueue --work', hint: WAIT_INSTEAD });
  if (concurrency !== undefined) inRange('work', concurrency, 1, MOST_AT_ONCE);
  return options.has('wait') || concurrency !== undefined;
}
