// queuectl worker start: starts workers in the background, or in this process with --foreground.

import { usageError } from '../../errors/errors.ts';
import { makeWorkerId } from '../../worker/start-worker.ts';
import { startDetached } from '../../worker/control/detached.ts';
import type { Command, Context, OptionSpecs } from '../command.ts';
import { onlyOneOf } from '../options/checks.ts';
import { thisProgram } from '../program-path.ts';
import { exactArguments } from '../required.ts';
import {
  JOB_USER_OPTION,
  jobUserArguments,
  WORKER_OPTIONS,
  WORKERS_ARE_LOCAL,
  workerArguments,
  workerCount,
  workHere,
} from '../workers/work.ts';

const OPTIONS = {
  count: {
    kind: 'integer',
    short: 'n',
    value: 'N',
    help: 'number of worker processes (default: 1)',
  },
  ...WORKER_OPTIONS,
  ...JOB_USER_OPTION,
  foreground: { kind: 'flag', help: 'stay in the foreground until a signal or queuectl worker stop' },
  detach: {
    kind: 'flag',
    short: 'd',
    help: 'start in the background (the default)',
    hidden: true,
  },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'worker start',
  purpose: 'run',
  localOnly: WORKERS_ARE_LOCAL,
  createsQueue: true,
  summary: 'start workers in the background',
  usage: ['[--count N] [--concurrency M] [--queue NAME]...'],
  options: OPTIONS,
  examples: [
    ['queuectl worker start', 'start one worker that runs one job at a time'],
    ['queuectl worker start --count 2 --concurrency 4', 'run up to eight jobs at once in two processes'],
    ['queuectl worker start --queue mail --queue images', 'serve only these queues'],
    ['queuectl worker start --count 4 --exit-when-empty', 'run all waiting jobs, then exit'],
  ],
  notes: [
    'Workers keep running after you close the terminal; stop them with queuectl worker stop. For systemd and containers: queuectl worker run.',
  ],
  run: async (context) => {
    rejectBareCount(context);
    exactArguments(context, [], 'worker start');
    const count = workerCount(context);
    const ids = Array.from({ length: count }, makeWorkerId);
    if (onlyOneOf(context.options, 'foreground', 'detach') === 'foreground') return workHere(context, ids);
    const queue = await context.localQueue();
    const args = [...workerArguments(context), ...(await jobUserArguments(context))];
    const workers = await startDetached(
      queue,
      ids.map((id) => ({ id, args: thisProgram('worker', 'run', '--id', id, '--detached', ...args) })),
      { progress: (started) => context.terminal.progress(`${started} of ${count} started`) },
    ).finally(() => context.terminal.progress(''));
    return {
      data: workers.map(({ id, pid, host }) => ({ id, pid, host })),
      text: workers.map(({ id, pid }) => `${id}  started  pid ${pid}`).join('\n'),
    };
  },
};

function rejectBareCount({ args: [given = ''] }: Context): void {
  if (!/^\d+$/.test(given)) return;
  throw usageError(`unexpected argument '${given}'`, `queuectl worker start --count ${given}`);
}
