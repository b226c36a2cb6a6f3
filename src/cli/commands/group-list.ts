// queuectl group list: the groups there are, the newest first.

import { QueueError } from '../../errors/errors.ts';
import { groupToJson } from '../../report/group.ts';
import type { Command, Context, Result } from '../command.ts';
import { groupTable } from '../render/group.ts';
import { exactArguments } from '../required.ts';

const USUAL_LIMIT = 50;

export const command: Command = {
  name: 'group list',
  purpose: 'look',
  summary: 'list groups of jobs, newest first, and how far they are',
  usage: ['[--limit N]'],
  options: {
    limit: {
      kind: 'integer',
      short: 'n',
      value: 'N',
      means: `at most so many; 0 for all (default: ${USUAL_LIMIT})`,
    },
  },
  examples: [
    ['queuectl group list', 'a row for each group'],
    ["queuectl enqueue --group photos 'convert a.png a.jpg'", 'puts a job into a group'],
  ],
  notes: ['A group comes with its first job, and is forgotten when the last one is removed.'],
  run,
};

async function run(context: Context): Promise<Result> {
  exactArguments(context, [], 'group list');
  const limit = context.options.number('limit') ?? USUAL_LIMIT;
  if (limit < 0)
    throw new QueueError('usage', {
      problem: `--limit must be 0 or more, not ${limit}`,
      hint: '0 shows all',
    });
  const queue = await context.queue();
  const found = await queue.groups.all(limit === 0 ? null : limit + 1);
  const groups = limit === 0 ? found : found.slice(0, limit);
  if (found.length > groups.length) context.terminal.say(`showing ${limit}: --limit 0 shows all`);
  if (groups.length === 0) context.terminal.hint("no groups yet: queuectl enqueue --group NAME 'COMMAND'");
  return {
    data: groups.map(groupToJson),
    text: groups.length === 0 ? '' : groupTable(groups, queue.now(), context.terminal),
  };
}
