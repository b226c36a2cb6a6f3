import type { Command, OptionSpecs } from '../command.ts';
import { groupResult, waitForGroup } from '../groups/group-end.ts';
import { usage } from '../options/options.ts';
import { someArguments } from '../required.ts';
import { waitForJobs } from '../jobs/wait-jobs.ts';

const OPTIONS = {
  group: { kind: 'text', value: 'NAME', help: 'wait for all jobs of this group' },
  timeout: { kind: 'seconds', value: 'DURATION', help: 'stop waiting after this time, with exit code 124' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'wait',
  purpose: 'look',
  summary: 'wait until jobs finish and exit with their exit code',
  usage: ['ID... [--timeout DURATION]', '--group NAME [--timeout DURATION]'],
  options: OPTIONS,
  examples: [
    ['queuectl wait k3f9', 'wait for a job and exit with its exit code'],
    [
      "id=$(queuectl enqueue --print-id 'make'); queuectl wait $id && echo built",
      'enqueue, wait and continue in a script',
    ],
    ['queuectl wait k3f9 --timeout 10m', 'wait at most 10 minutes, then exit with code 124'],
    ['queuectl wait --group photos', 'show the progress of a group, then its failed jobs'],
  ],
  notes: [
    'Exit code for several jobs: 0 if all completed, otherwise the exit code of the first that did not. For a group: 0 if all completed, 1 if any job is dead or cancelled.',
  ],
  completes: 'job',
  run: async (context) => {
    const { options } = context;
    const timeoutSeconds = options.number('timeout');
    const name = options.text('group');
    if (name === undefined) {
      const ids = someArguments(context, 'id', 'wait');
      const queue = await context.queue();
      return waitForJobs(context, queue, await queue.findAll(ids), { timeoutSeconds });
    }
    if (context.args.length > 0 || context.exact !== null)
      throw usage('job IDs and --group cannot be combined', command);
    const queue = await context.queue();
    return groupResult(context, queue, await waitForGroup(context, queue, { name, timeoutSeconds }));
  },
};
