// Schedules as text: their times in words, always with the zone, and the next runs.

import { reasonInWords } from '../../schedule/tick-words.ts';
import { type ScheduleView, stateOf } from '../../report/schedule.ts';
import { dueAt } from '../../schedule/plan-ticks.ts';
import type { Schedule, Tick } from '../../schedule/schedule.ts';
import { timeInZone } from '../../schedule/words.ts';
import type { Terminal } from '../terminal.ts';
import { commandLine } from './kit/command-line.ts';
import { duration, fromNow, many } from './kit/human.ts';
import { type Column, table } from './kit/table.ts';
import { flow, oneLine } from './kit/text.ts';

type Screen = Pick<Terminal, 'style' | 'width'>;

const INDENT = '  ';

export function scheduleTable(views: readonly ScheduleView[], now: number, { style, width }: Screen): string {
  const columns: Column[] = [
    { title: 'name' },
    { title: 'when', gives: true, least: 16 },
    { title: 'zone' },
    { title: 'next' },
    { title: 'command', gives: true, spare: 1 },
  ];
  const rows = views.map(({ schedule, words }) => [
    schedule.name,
    oneLine(words),
    schedule.spec.timing.zone,
    stateOf(schedule) === 'active' ? fromNow(schedule.nextAt, now) : style.warn(stateOf(schedule)),
    commandLine(schedule.job.command),
  ]);
  return table(columns, rows, width, style);
}

/** Returns 'backup  added  every day at 02:30, Europe/Berlin', and a line for each next run. */
export function scheduleLines(view: ScheduleView, verb: string, now: number, { style }: Screen): string {
  const { schedule, words } = view;
  const head = `${style.bold(schedule.name)}  ${verb}  ${oneLine(words)}, ${schedule.spec.timing.zone}`;
  return [head, ...timeLines(view, now)].join('\n');
}

/** Returns a line for each next run, in the zone of the schedule. */
export const timeLines = ({ schedule, next }: ScheduleView, now: number): string[] => [
  ...next.map((at) => {
    const { zone } = schedule.spec.timing;
    return `${INDENT}${timeInZone(at, zone)} ${zone}  ${fromNow(at, now)}`;
  }),
  ...(schedule.spec.jitterMs === 0
    ? []
    : [`${INDENT}each delayed by ${duration(delayOf(schedule))} (jitter)`]),
];

const delayOf = ({ name, spec }: Schedule): number => dueAt(0, { name, jitterMs: spec.jitterMs });

export function scheduleDetails(
  view: ScheduleView,
  ticks: readonly Tick[],
  now: number,
  screen: Screen,
): string {
  const { schedule, words } = view;
  const { style, width } = screen;
  const state = stateOf(schedule);
  return [
    `${style.bold(schedule.name)}  ${state}  ${commandLine(schedule.job.command)}`,
    `${INDENT}${oneLine(words)}, ${schedule.spec.timing.zone}${expressionOf(schedule)}`,
    flow(rulesOf(schedule), width, INDENT),
    ...(schedule.pausedAt === null ? [] : [`${INDENT}paused ${fromNow(schedule.pausedAt, now)}`]),
    ...(view.next.length === 0 ? [] : ['', `${INDENT}${state === 'paused' ? 'next, once resumed' : 'next'}`]),
    ...timeLines(view, now).map((line) => INDENT + line),
    ...(ticks.length === 0 ? [] : ['', tickTable(schedule, ticks, screen)]),
    '',
    style.dim(flow(nextCommands(schedule), width, INDENT)),
  ].join('\n');
}

const expressionOf = ({ spec: { timing } }: Schedule): string =>
  timing.kind === 'cron' ? ` (${timing.expression})` : '';

function rulesOf({ spec, job }: Schedule): string[] {
  return [
    `queue ${job.queue ?? 'default'}`,
    `overlap ${spec.overlap}`,
    `catch-up ${spec.catchUp}`,
    ...(spec.catchUpWindowMs === null ? [] : [`within ${duration(spec.catchUpWindowMs)}`]),
    ...(spec.catchUp === 'all' ? [`at most ${many(spec.catchUpMax, 'run')}`] : []),
    ...(spec.jitterMs === 0 ? [] : [`jitter up to ${duration(spec.jitterMs)}`]),
    ...(job.cwd == null ? [] : [oneLine(job.cwd)]),
  ];
}

function tickTable({ spec }: Schedule, ticks: readonly Tick[], { style, width }: Screen): string {
  const columns: Column[] = [
    { title: `${INDENT}run` },
    { title: 'outcome' },
    { title: 'job' },
    { title: 'why', gives: true },
  ];
  const rows = ticks.map((tick) => [
    INDENT + timeInZone(tick.at, spec.timing.zone),
    tick.outcome === 'skipped' ? style.warn('skipped') : tick.outcome,
    tick.jobId ?? '',
    tick.reason === null ? '' : reasonInWords(tick.reason),
  ]);
  return table(columns, rows, width, style);
}

function nextCommands(schedule: Schedule): string[] {
  const { name } = schedule;
  const change = stateOf(schedule) === 'paused' ? 'resume' : 'pause';
  return [
    `queuectl schedule run ${name}`,
    `queuectl schedule ${change} ${name}`,
    `queuectl schedule edit ${name}`,
  ];
}
