import { scheduleToJson, tickToJson, viewOf } from '../../report/schedule.ts';
import { TICKS_KEPT } from '../../schedule/schedule-limits.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { scheduleDetails } from '../render/schedule.ts';
import { exactArguments } from '../required.ts';

const NEXT_SHOWN = 5;
const TICKS_SHOWN = 10;

const OPTIONS = {
  ticks: {
    kind: 'integer',
    value: 'N',
    help: `number of past runs to show (default: ${TICKS_SHOWN})`,
  },
  'show-env': { kind: 'flag', help: "show the values of the job's variables" },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'schedule show',
  purpose: 'look',
  summary: 'show a schedule with its next and last runs',
  usage: ['NAME [--ticks N]'],
  options: OPTIONS,
  examples: [
    ['queuectl schedule show backup', 'show the next runs, the last runs, and why runs were skipped'],
    ['queuectl schedule show backup --json', 'print the schedule as JSON'],
  ],
  notes: [
    `queuectl keeps the last ${TICKS_KEPT} runs of a schedule, each with its job or the reason why it was skipped.`,
  ],
  completes: 'schedule',
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'schedule show');
    const queue = await context.queue();
    const schedules = await queue.schedules();
    const view = await viewOf(await schedules.get(name), queue.now(), NEXT_SHOWN);
    const ticks = await schedules.ticks(name, Math.max(0, context.options.number('ticks') ?? TICKS_SHOWN));
    const show = { env: context.options.has('show-env') };
    return {
      data: { ...scheduleToJson(view, show), ticks: ticks.map(tickToJson) },
      text: scheduleDetails(view, ticks, queue.now(), context.terminal),
    };
  },
};
