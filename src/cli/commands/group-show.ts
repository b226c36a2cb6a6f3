// queuectl group show: shows the progress of a group, its running jobs and its failures; once, or live until it
// finishes.

import type { AnyQueue } from '../../queue/interface.ts';
import { groupReport, groupReportToJson } from '../../report/group.ts';
import type { Pace } from '../../report/metrics/pace.ts';
import type { GroupRecord } from '../../store/store.ts';
import type { Command, Context, OptionSpecs } from '../command.ts';
import { interruptOf } from '../interrupt.ts';
import { untilGroupEnds } from '../groups/group-watch.ts';
import { frame } from '../render/kit/frame.ts';
import { groupText } from '../render/group.ts';
import { clock } from '../render/kit/human.ts';
import { exactArguments } from '../required.ts';

const REDRAW_MS = 1000;

const OPTIONS = {
  watch: {
    kind: 'flag',
    short: 'w',
    help: 'redraw every second until the group finishes or you press Ctrl-C',
  },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'group show',
  purpose: 'look',
  summary: 'show the progress of a group, its running jobs and its failures',
  usage: ['NAME [--watch]'],
  options: OPTIONS,
  examples: [
    ['queuectl group show photos', 'show the job counts, running jobs and failures'],
    ['queuectl group show photos --watch', 'watch the group live, with its rate and remaining time'],
    ['queuectl group show photos --json | jq .ended', 'print the number of finished jobs, for scripts'],
  ],
  completes: 'group',
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'group show');
    const queue = await context.queue();
    const group = context.options.has('watch') ? await watch(context, queue, name) : await queue.groups.get(name);
    const report = await groupReport(queue, group);
    return { data: groupReportToJson(report), text: groupText(report, context.terminal) };
  },
};

/** Without a terminal, only waits for the group: the result is printed at the end. */
async function watch(context: Context, queue: AnyQueue, name: string): Promise<GroupRecord> {
  const interrupt = interruptOf(context);
  const isLive = context.terminal.width !== null && !context.terminal.json;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawing = Promise.resolve();
  const draw = (group: GroupRecord, pace: Pace): void => {
    if (!isLive || performance.now() - drawnAt < REDRAW_MS) return;
    drawnAt = performance.now();
    drawing = drawing.then(() => drawScreen(context, queue, group, pace));
  };
  const group = await untilGroupEnds(context, queue, { name, signal: interrupt, draw });
  await drawing;
  if (isLive) context.terminal.out(frame('', undefined));
  return group;
}

async function drawScreen({ terminal }: Context, queue: AnyQueue, group: GroupRecord, pace: Pace): Promise<void> {
  const { columns, rows } = process.stdout; // read each time, because users resize windows
  const report = await groupReport(queue, group);
  const head = terminal.style.dim(`${clock(report.now)}  press Ctrl-C to stop watching; the jobs continue`);
  const text = groupText(report, { ...terminal, width: columns || terminal.width }, pace);
  terminal.out(frame(`${head}\n\n${text}`, rows));
}
