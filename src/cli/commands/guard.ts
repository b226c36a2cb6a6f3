// queuectl __guard WORKER GRACE: stands beside a worker and ends its jobs when it cannot; started by the worker itself.

import { standGuard } from '../../worker/guard.ts';
import type { Command, Context, Result } from '../command.ts';

export const command: Command = {
  name: '__guard',
  purpose: 'set up',
  summary: 'end the jobs of a worker that is gone',
  usage: ['WORKER GRACE'],
  examples: [['queuectl __guard w7d1 500', 'reads from stdin what the worker runs']],
  run,
};

async function run({ args }: Context): Promise<Result> {
  const [workerId = '', graceMs = '0'] = args;
  // It shares no terminal with anybody, and a signal meant for the worker must not take away its guard.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  await standGuard(workerId, Number(graceMs), process.stdin);
  return {};
}
