import { scheduleToJson, stateOf, viewOf } from '../../report/schedule.ts';
import type { Command } from '../command.ts';
import { scheduleTable } from '../render/schedule.ts';
import { exactArguments } from '../required.ts';
import { suggestWorker } from '../enqueue/suggest-worker.ts';

export const command: Command = {
  name: 'schedule list',
  purpose: 'look',
  summary: 'list schedules and their next run',
  usage: [''],
  examples: [
    ['queuectl schedule list', 'list all schedules by name'],
    ['queuectl schedule list --json', 'print all schedules with their next five runs as JSON'],
  ],
  notes: ['The next column shows paused for paused schedules and ended for one-time schedules that have run.'],
  run: async (context) => {
    exactArguments(context, [], 'schedule list');
    const queue = await context.queue();
    const all = await (await queue.schedules()).all();
    const count = context.terminal.json ? NEXT_IN_JSON : 0;
    const views = await Promise.all(all.map((schedule) => viewOf(schedule, queue.now(), count)));
    if (views.length === 0) {
      context.terminal.hint("no schedules yet; add one: queuectl schedule add NAME --cron '30 2 * * *' 'COMMAND'");
    }
    const active = all.find((schedule) => stateOf(schedule) === 'active');
    if (active) await suggestWorker(context, queue, [{ queue: active.job.queue ?? 'default' }]);
    return {
      data: views.map((view) => scheduleToJson(view)),
      text: scheduleTable(views, queue.now(), context.terminal),
    };
  },
};

const NEXT_IN_JSON = 5;
