import { fullVersion } from '../../system/build.ts';
import { otherVersions, replaceHint, workerToJson } from '../../report/workers.ts';
import type { Command } from '../command.ts';
import { workerTable } from '../render/worker.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'worker list',
  purpose: 'look',
  summary: 'list workers and their running jobs',
  usage: [''],
  examples: [
    ['queuectl worker list', 'list all workers on all hosts'],
    ['queuectl worker list --json', 'print all workers as JSON'],
  ],
  notes: ['States: idle, busy, stopping (finishing its running jobs), lost (no heartbeat, jobs not yet taken over).'],
  run: async (context) => {
    exactArguments(context, [], 'worker list');
    const queue = await context.queue();
    const workers = await queue.workers();
    if (workers.length === 0) context.terminal.hint('no worker is running; start one: queuectl worker start');
    const others = otherVersions(workers, fullVersion());
    if (others.length > 0)
      context.terminal.hint(
        `some workers do not run version ${fullVersion()}, as this program; ${replaceHint(others)}`,
      );
    return {
      data: workers.map(workerToJson),
      text: workerTable(workers, queue.now(), context.terminal, others.length > 0),
    };
  },
};
