// Waits for a group with a progress line, and prints the result.

import type { AnyQueue } from '../../queue/interface.ts';
import { endOf, groupReport, groupReportToJson } from '../../report/group.ts';
import type { GroupRecord } from '../../store/store.ts';
import type { Context, Result } from '../command.ts';
import { type GroupWatch, untilGroupEnds } from './group-watch.ts';
import { progressLine, summaryText } from '../render/group.ts';

/** Limits how often the progress line changes. */
const REDRAW_MS = 200;

export type GroupWait = Omit<GroupWatch, 'draw'>;

/** Shows progress if stderr is a terminal. */
export async function waitForGroup(context: Context, queue: AnyQueue, wait: GroupWait): Promise<GroupRecord> {
  const { terminal } = context;
  let drawnAt = Number.NEGATIVE_INFINITY;
  try {
    return await untilGroupEnds(context, queue, {
      ...wait,
      draw: (group, pace) => {
        if (performance.now() - drawnAt < REDRAW_MS) return;
        drawnAt = performance.now();
        terminal.progress(progressLine(group, terminal, pace));
      },
    });
  } finally {
    terminal.progress('');
  }
}

/** Exit code: 0 if all jobs completed, otherwise 1. */
export async function groupResult({ terminal }: Context, queue: AnyQueue, group: GroupRecord): Promise<Result> {
  const report = await groupReport(queue, group);
  return {
    data: groupReportToJson(report),
    text: summaryText(report, terminal),
    exitCode: endOf(group) === 'completed' ? 0 : 1,
  };
}
