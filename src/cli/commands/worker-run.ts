import { makeWorkerId } from '../../worker/start-worker.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { exactArguments } from '../required.ts';
import { JOB_USER_OPTION, WORKER_OPTIONS, WORKERS_ARE_LOCAL, workHere } from '../workers/work.ts';

const OPTIONS = {
  ...WORKER_OPTIONS,
  ...JOB_USER_OPTION,
  id: { kind: 'text', value: 'ID', help: 'ID to register the worker under', hidden: true },
  detached: { kind: 'flag', help: 'mark the worker as started in the background', hidden: true },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'worker run',
  purpose: 'run',
  localOnly: WORKERS_ARE_LOCAL,
  createsQueue: true,
  summary: 'run a worker in the foreground, for systemd and containers',
  usage: ['[--concurrency M] [--queue NAME]... [--exit-when-empty]'],
  options: OPTIONS,
  examples: [
    ['queuectl worker run --concurrency 4', 'run until TERM or Ctrl-C; running jobs finish first'],
    ['queuectl worker run --exit-when-empty', 'run all waiting jobs, then exit'],
  ],
  notes: ['The first signal lets running jobs finish; a second signal stops and requeues them.'],
  run: async (context) => {
    exactArguments(context, [], 'worker run');
    const { options } = context;
    return workHere(context, [options.text('id') ?? makeWorkerId()], options.has('detached'));
  },
};
