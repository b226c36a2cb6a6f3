// The results of commands that change schedules.

import { usageError } from '../../errors/errors.ts';
import { scheduleToJson, stateOf, viewOf } from '../../report/schedule.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import type { Context, Result } from '../command.ts';
import { fromNow } from '../render/kit/human.ts';
import { scheduleLines } from '../render/schedule.ts';
import type { Terminal } from '../terminal.ts';

/** Returns the schedule name: the argument before the command. */
export function scheduleName({ args }: Context, command: string): string {
  const [name] = args;
  if (name !== undefined) return name;
  throw usageError('missing schedule name', `queuectl ${command} NAME ...`);
}

const NEXT_SHOWN = 5;

/** Describes one schedule, with its next runs. */
export async function scheduleAnswer(
  schedule: Schedule,
  verb: string,
  now: number,
  terminal: Terminal,
): Promise<Result> {
  const view = await viewOf(schedule, now, NEXT_SHOWN);
  return { data: scheduleToJson(view), text: scheduleLines(view, verb, now, terminal) };
}

/** Prints a line for each schedule. */
export async function schedulesAnswer(
  schedules: readonly Schedule[],
  verb: 'paused' | 'resumed' | 'deleted',
  now: number,
): Promise<Result> {
  const views = await Promise.all(schedules.map((one) => viewOf(one, now, verb === 'deleted' ? 0 : 1)));
  const width = Math.max(0, ...schedules.map(({ name }) => name.length));
  const lines = schedules.map((one) => {
    const next = stateOf(one) === 'active' && verb === 'resumed' ? `, next ${fromNow(one.nextAt, now)}` : '';
    return `${one.name.padEnd(width)}  ${verb}${next}`;
  });
  return { data: views.map((view) => scheduleToJson(view)), text: lines.join('\n') };
}
