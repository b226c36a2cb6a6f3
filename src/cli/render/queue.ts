// Named queues as text: a table, or the details of one.

import type { JobState } from '../../job/job.ts';
import type { QueueView } from '../../report/queues.ts';
import { rateText } from '../../time/rate.ts';
import type { Screen } from '../terminal.ts';
import { count, fromNow, many } from './kit/human.ts';
import { confinementWords, limitWords } from './resource-limits.ts';
import { oneLine } from './kit/one-line.ts';
import { type Column, table } from './kit/table.ts';

const SHOWN: readonly JobState[] = ['blocked', 'pending', 'processing', 'failed', 'dead', 'completed'];

/** Columns that are left out on narrow terminals, the highest number first. */
const EMPTY_SPARE = 6;
const SPARE: Readonly<Partial<Record<JobState, number>>> = {
  completed: 4,
  blocked: 3,
  failed: 2,
  processing: 1,
};

export function queueTable(views: readonly QueueView[], { style, width }: Screen): string {
  const spareOf = (state: JobState): number => {
    const isEmpty = views.every(({ counts }) => counts[state] === 0);
    return SPARE[state] === undefined ? 0 : isEmpty ? EMPTY_SPARE : SPARE[state];
  };
  const columns: Column[] = [
    { title: 'queue', gives: true },
    ...SHOWN.map((title): Column => ({ title, align: 'right', spare: spareOf(title) })),
    { title: 'workers', align: 'right', spare: 5 },
    { title: 'limits', gives: true },
  ];
  const rows = views.map((view) => [
    view.queue,
    ...SHOWN.map((state) => count(view.counts[state])),
    count(view.workers),
    limitsText(view),
  ]);
  return table(columns, rows, width, style);
}

/** The limits and pauses of a queue in a few words. */
export function limitsText(view: QueueView): string {
  return [
    ...(view.pausedAt !== null || view.isAllPaused ? ['paused'] : []),
    ...(view.drainingAt === null ? [] : ['draining']),
    ...(view.concurrency === null ? [] : [`${view.concurrency} at once`]),
    ...(view.ratePerSecond === null ? [] : [rateText(view.ratePerSecond)]),
    ...(view.burst === null ? [] : [`burst ${view.burst}`]),
    ...limitWords(view.confinement.limits),
    ...confinementWords(view.confinement),
  ].join(', ');
}

export function queueDetails(view: QueueView, now: number, { style }: Screen): string {
  const states = (Object.keys(view.counts) as JobState[]).filter((state) => view.counts[state] > 0);
  const lines = [
    `${style.bold(view.queue)}  ${limitsText(view) || 'no limits'}`,
    ...(view.pausedAt === null
      ? []
      : [`paused ${fromNow(view.pausedAt, now)}; resume with: queuectl queue resume ${view.queue}`]),
    ...Object.entries(view.hooks).map(([name, target]) => `${name.replaceAll('_', ' ')}: ${oneLine(target)}`),
    ...(view.isAllPaused ? ['all queues are paused; resume with: queuectl queue resume'] : []),
    view.workers === 0 ? 'no worker serves this queue' : `served by ${many(view.workers, 'worker')}`,
    states.length === 0 ? 'no jobs' : states.map((state) => `${count(view.counts[state])} ${state}`).join(' · '),
  ];
  return lines.join('\n  ');
}
