// queuectl worker run: one worker in the foreground, for systemd and containers.

import { makeWorkerId } from '../../worker/start-worker.ts';
import type { Command } from '../command.ts';
import { exactArguments } from '../required.ts';
import { JOB_USER_OPTION, WORKER_OPTIONS, WORKERS_ARE_LOCAL, workHere } from '../workers/work.ts';

export const command: Command = {
  name: 'worker run',
  purpose: 'run',
  localOnly: WORKERS_ARE_LOCAL,
  createsQueue: true,
  summary: 'be a worker in the foreground, for systemd and containers',
  usage: ['[--concurrency M] [--queue NAME]... [--drain]'],
  options: {
    ...WORKER_OPTIONS,
    ...JOB_USER_OPTION,
    id: { kind: 'text', value: 'ID', means: 'the id to register under', hidden: true },
    detached: { kind: 'flag', means: 'started in the background', hidden: true },
  },
  examples: [
    ['queuectl worker run --concurrency 4', 'until TERM or Ctrl-C; running jobs finish first'],
    ['queuectl worker run --drain', 'run what is there, then exit'],
  ],
  notes: ['The first signal lets running jobs finish, a second one ends them and puts them back.'],
  run: async (context) => {
    exactArguments(context, [], 'worker run');
    return workHere(context, [context.options.text('id') ?? makeWorkerId()]);
  },
};
