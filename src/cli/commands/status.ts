import { type Status, statusToJson } from '../../report/status.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { statusText } from '../render/status.ts';
import { exactArguments } from '../required.ts';
import { type View, WATCH, watch } from '../watch.ts';

const OPTIONS = {
  queue: { kind: 'text', short: 'q', value: 'NAME', help: 'show only this queue' },
  ...WATCH,
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'status',
  purpose: 'look',
  summary: 'show job counts by state and the active workers',
  usage: ['[--queue NAME] [--watch]'],
  options: OPTIONS,
  examples: [
    ['queuectl status', 'show the counts of each queue'],
    ['queuectl status --watch', 'redraw the counts every second'],
    ['queuectl status --json | jq .pending', 'print one number, for scripts'],
  ],
  run: async (context) => {
    exactArguments(context, [], 'status');
    const look = async (): Promise<Status> => {
      const reports = await (await context.queue()).reports();
      return reports.status(context.options.text('queue'));
    };
    if (context.options.has('watch')) return watch(context, async () => viewOf(await look()));
    const status = await look();
    return { data: statusToJson(status), text: statusText(status, context.terminal) };
  },
};

const viewOf = (status: Status): View => ({
  now: status.now,
  data: statusToJson(status),
  changesWith: { ...status, now: 0 },
  text: (screen) => statusText(status, screen),
});
