import { groupToJson } from '../../report/group.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { inRange } from '../options/checks.ts';
import { groupTable } from '../render/group.ts';
import { exactArguments } from '../required.ts';

const USUAL_LIMIT = 50;

const OPTIONS = {
  limit: {
    kind: 'integer',
    short: 'n',
    value: 'N',
    help: `maximum number of groups; 0 for all (default: ${USUAL_LIMIT})`,
  },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'group list',
  purpose: 'look',
  summary: 'list groups and their progress, newest first',
  usage: ['[--limit N]'],
  options: OPTIONS,
  examples: [
    ['queuectl group list', 'list all groups, one per line'],
    ["queuectl enqueue --group photos 'convert a.png a.jpg'", 'add a job to a group'],
  ],
  notes: ['Enqueueing the first job creates a group; deleting its last job deletes the group.'],
  run: async (context) => {
    exactArguments(context, [], 'group list');
    const limit = inRange('limit', context.options.number('limit') ?? USUAL_LIMIT, 0);
    const queue = await context.queue();
    const found = await queue.groups.all(limit === 0 ? null : limit + 1);
    const groups = limit === 0 ? found : found.slice(0, limit);
    if (found.length > groups.length)
      context.terminal.say(`showing the first ${limit} groups; show all with --limit 0`);
    if (groups.length === 0)
      context.terminal.hint("no groups yet; create one: queuectl enqueue --group NAME 'COMMAND'");
    return {
      data: groups.map(groupToJson),
      text: groupTable(groups, queue.now(), context.terminal),
    };
  },
};
