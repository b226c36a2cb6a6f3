import { isoTime } from '../../job/wire.ts';
import { viewOf } from '../../report/schedule.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { inRange } from '../options/checks.ts';
import { timeLines } from '../render/schedule.ts';
import { exactArguments } from '../required.ts';

const SHOWN = 10;
const MOST = 1000;

const OPTIONS = {
  count: { kind: 'integer', short: 'n', value: 'N', help: `number of runs to show (default: ${SHOWN})` },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'schedule next',
  purpose: 'look',
  summary: 'show the next runs of a schedule',
  usage: ['NAME [--count N]'],
  options: OPTIONS,
  examples: [
    ['queuectl schedule next backup', "show the next ten runs in the schedule's time zone"],
    ['queuectl schedule next backup -n 100 --json', 'print the next hundred runs in UTC as JSON'],
  ],
  notes: ['The times do not include the jitter of the schedule.'],
  completes: 'schedule',
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'schedule next');
    const count = inRange('count', context.options.number('count') ?? SHOWN, 1, MOST);
    const queue = await context.queue();
    const view = await viewOf(await (await queue.schedules()).get(name), queue.now(), count);
    return {
      data: view.next.map(isoTime),
      text: timeLines(view, queue.now())
        .map((line) => line.trimStart())
        .join('\n'),
    };
  },
};
