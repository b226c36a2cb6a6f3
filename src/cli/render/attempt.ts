// The attempts of a job as a table.

import type { Attempt } from '../../job/job.ts';
import { cpuMsOf, type Usage } from '../../job/usage.ts';
import type { Details } from '../../report/details.ts';
import type { Screen } from '../terminal.ts';
import { sizeText } from '../../text/size.ts';
import { age, clock, dateTime, duration, many } from './kit/human.ts';
import { table } from './kit/table.ts';
import { oneLine } from './kit/text.ts';

/** On a terminal, only the last attempts are shown, so that the rest stays on the screen. */
const SHOWN_ATTEMPTS = 20;

export function attemptTable(
  { history, now, spansHosts }: Pick<Details, 'history' | 'now' | 'spansHosts'>,
  screen: Screen,
  indent: string,
): string {
  const { style, width } = screen;
  const shown = width === null ? history : history.slice(-SHOWN_ATTEMPTS);
  const isToday = shown.every(({ startedAt }) => dateTime(startedAt).slice(0, 10) === dateTime(now).slice(0, 10));
  const isUsageKnown = shown.some(({ usage }) => usage !== null);
  const columns = [
    { title: '#', align: 'right' as const },
    { title: 'started' },
    { title: 'took', align: 'right' as const },
    ...(isUsageKnown ? [{ title: 'used', spare: 2 }] : []),
    { title: 'worker', spare: 1 },
    { title: 'ended', wraps: true },
  ];
  const rows = shown.map((attempt) => [
    String(attempt.run), // the attempt number restarts at 1 after a manual retry
    (isToday ? clock : dateTime)(attempt.startedAt),
    attempt.endedAt === null ? age(now - attempt.startedAt) : duration(attempt.endedAt - attempt.startedAt),
    ...(isUsageKnown ? [usageText(attempt.usage)] : []),
    spansHosts ? `${attempt.workerId} on ${oneLine(attempt.host)}` : attempt.workerId,
    ended(attempt),
  ]);
  const text = table(columns, rows, width === null ? null : width - indent.length, style);
  const left = history.length - shown.length;
  const more = left > 0 ? [style.dim(`${many(left, 'earlier attempt')} not shown; show all with --json`)] : [];
  return [...more, text].join('\n').replace(/^/gm, indent);
}

function ended(attempt: Attempt): string {
  if (attempt.outcome === null) return 'running';
  return oneLine(
    attempt.error ?? (attempt.outcome === 'completed' ? `exit code ${attempt.exitCode ?? 0}` : attempt.outcome),
  );
}

/** Returns '12 MiB · 0.3 s CPU', without unknown values. */
function usageText(usage: Usage | null): string {
  const cpuMs = cpuMsOf(usage);
  return [
    ...(usage?.peakMemoryBytes == null ? [] : [sizeText(usage.peakMemoryBytes)]),
    ...(cpuMs === null ? [] : [`${duration(cpuMs)} CPU`]),
  ].join(' · ');
}
