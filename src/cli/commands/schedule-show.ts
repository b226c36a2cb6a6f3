// queuectl schedule show: one schedule in full, with its next times and what became of its last ticks.

import { scheduleToJson, tickToJson, viewOf } from '../../report/schedule.ts';
import { TICKS_KEPT } from '../../schedule/schedule-limits.ts';
import type { Command, Context, Result } from '../command.ts';
import { scheduleDetails } from '../render/schedule.ts';
import { exactArguments } from '../required.ts';

const NEXT_SHOWN = 5;
const TICKS_SHOWN = 10;

export const command: Command = {
  name: 'schedule show',
  purpose: 'look',
  summary: 'show a schedule, its next times and its last ticks',
  usage: ['NAME [--ticks N]'],
  options: {
    ticks: {
      kind: 'integer',
      value: 'N',
      means: `how many of the last ticks to show (default: ${TICKS_SHOWN})`,
    },
    'show-env': { kind: 'flag', means: 'with the values of its variables' },
  },
  examples: [
    ['queuectl schedule show backup', 'when it runs, when it ran, what was skipped and why'],
    ['queuectl schedule show backup --json', 'as data'],
  ],
  notes: [`The last ${TICKS_KEPT} ticks are kept, with the job each made or the reason why it made none.`],
  completes: 'schedule',
  run,
};

async function run(context: Context): Promise<Result> {
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
}
