// queuectl wait: until jobs, or all jobs of a group, are final; the exit code says how they ended.

import type { Command, Context, Result } from '../command.ts';
import { groupResult, waitForGroup } from '../groups/group-end.ts';
import { usage } from '../options/options.ts';
import { someArguments } from '../required.ts';
import { waitForJobs } from '../jobs/wait-jobs.ts';

export const command: Command = {
  name: 'wait',
  purpose: 'look',
  summary: 'wait until jobs are final and exit with their exit code',
  usage: ['ID... [--timeout DURATION]', '--group NAME [--timeout DURATION]'],
  options: {
    group: { kind: 'text', value: 'NAME', means: 'all jobs of this group' },
    timeout: { kind: 'seconds', value: 'DURATION', means: 'give up after this time, exit 124' },
  },
  examples: [
    ['queuectl wait k3f9', 'exits with the exit code of the job'],
    ["id=$(queuectl enqueue --print-id 'make'); queuectl wait $id && echo built", 'in a script'],
    ['queuectl wait k3f9 --timeout 10m', 'exit code 124 when it takes longer'],
    ['queuectl wait --group photos', 'shows how far the group is, then which of its jobs failed'],
  ],
  notes: [
    'With several jobs: 0 when all completed, else the exit code of the first one that did not. With a group: 0 when all completed, 1 when any is dead or cancelled.',
  ],
  completes: 'job',
  run,
};

async function run(context: Context): Promise<Result> {
  const { options } = context;
  const timeoutSeconds = options.number('timeout');
  const name = options.text('group');
  if (name === undefined) {
    const ids = someArguments(context, 'id', 'wait');
    const queue = await context.queue();
    return waitForJobs(context, queue, await queue.findAll(ids), { timeoutSeconds });
  }
  if (context.args.length > 0 || context.exact !== null) throw usage('ids and --group at once', command);
  const queue = await context.queue();
  return groupResult(context, queue, await waitForGroup(context, queue, { name, timeoutSeconds }));
}
