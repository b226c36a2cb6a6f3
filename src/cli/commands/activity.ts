import { activityToJson } from '../../report/accounts.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { inRange } from '../options/checks.ts';
import { activityTable } from '../render/account.ts';
import { exactArguments } from '../required.ts';

const USUAL_LIMIT = 20;

const OPTIONS = {
  limit: {
    kind: 'integer',
    short: 'n',
    value: 'N',
    help: `maximum number of entries (default: ${USUAL_LIMIT})`,
  },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'activity',
  purpose: 'look',
  summary: 'show the audit log: who changed the queue, when and how',
  usage: ['[--limit N]'],
  options: OPTIONS,
  examples: [['queuectl activity', 'show the latest changes, newest first']],
  notes: [
    'The audit log keeps the last 10,000 changes made by commands and HTTP requests. It does not record new jobs: see created_at of each job.',
  ],
  run: async (context) => {
    exactArguments(context, [], 'activity');
    const limit = inRange('limit', context.options.number('limit') ?? USUAL_LIMIT, 1);
    const entries = await (await context.queue()).activity.list(limit);
    if (entries.length === 0) context.terminal.hint('no changes recorded yet');
    return {
      data: entries.map(activityToJson),
      text: activityTable(entries, context.terminal),
    };
  },
};
