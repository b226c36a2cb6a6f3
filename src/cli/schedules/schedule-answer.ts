// The results of commands that change schedules.

import { QueueError } from '../../errors/errors.ts';
import { type ScheduleView, scheduleToJson, stateOf } from '../../report/schedule.ts';
import type { Context, Result } from '../command.ts';
import { fromNow } from '../render/kit/human.ts';
import { scheduleLines } from '../render/schedule.ts';
import type { Terminal } from '../terminal.ts';

/** Returns the schedule name: the argument before the command. */
export function scheduleName({ args }: Context, command: string): string {
  const [name] = args;
  if (name !== undefined) return name;
  throw new QueueError('usage', { problem: 'missing schedule name', hint: `queuectl ${command} NAME ...` });
}

/** Describes one schedule, with its next runs. */
export const scheduleAnswer = (
  view: ScheduleView,
  verb: string,
  now: number,
  terminal: Terminal,
): Result => ({
  data: scheduleToJson(view),
  text: scheduleLines(view, verb, now, terminal),
});

/** Prints a line for each schedule. */
export function schedulesAnswer(views: readonly ScheduleView[], verb: string, now: number): Result {
  const width = Math.max(0, ...views.map(({ schedule }) => schedule.name.length));
  const lines = views.map(({ schedule }) => {
    const next =
      stateOf(schedule) === 'active' && verb === 'resumed' ? `, next ${fromNow(schedule.nextAt, now)}` : '';
    return `${schedule.name.padEnd(width)}  ${verb}${next}`;
  });
  return { data: views.map((view) => scheduleToJson(view)), text: lines.join('\n') };
}
