// The flags by which enqueue waits for its jobs. What they take is in enqueue-wait.ts, which is loaded only then.

import { QueueError } from '../../errors/errors.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { Context, OptionSpec } from '../command.ts';

const MOST_AT_ONCE = 10_000;
const WAIT_INSTEAD = 'workers run next to the database; use --wait to wait for them';

export const WAIT_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  wait: { kind: 'flag', topic: 'flow', help: 'wait until the jobs finish and report failures' },
  work: {
    kind: 'integer',
    topic: 'flow',
    value: 'N',
    help: 'run the jobs in this process, N at once, and wait. Exit codes 126 and 127 are not retried by default',
  },
};

/** Refuses a number of jobs at once that makes no sense, or a worker for a queue elsewhere: to be asked before anything is stored. */
export function isAwaited({ options }: Context, { local }: Pick<AnyQueue, 'local'>): boolean {
  const concurrency = options.number('work');
  if (concurrency !== undefined && local === null)
    throw new QueueError('not_over_http', { command: 'enqueue --work', hint: WAIT_INSTEAD });
  if (concurrency !== undefined && (concurrency < 1 || concurrency > MOST_AT_ONCE))
    throw new QueueError('usage', {
      problem: `--work must be from 1 to ${MOST_AT_ONCE}, not ${concurrency}`,
      hint: 'pass the number of jobs to run at once',
    });
  return options.has('wait') || concurrency !== undefined;
}
