// Schedules as text: their times in words, always with the zone, and the next runs.

import { reasonInWords } from '../../schedule/tick-words.ts';
import { type ScheduleView, stateOf } from '../../report/schedule.ts';
import { dueAt } from '../../schedule/plan-ticks.ts';
import type { Schedule, Tick } from '../../schedule/schedule.ts';
import { timeInZone } from '../../schedule/words.ts';
import type { Screen } from '../terminal.ts';
import { commandLine } from './kit/command-line.ts';
import { duration, fromNow, many } from './kit/human.ts';
import { tableOf } from './kit/table.ts';
import { flow, oneLine } from './kit/text.ts';

const INDENT = '  ';

export const scheduleTable = (views: readonly ScheduleView[], now: number, screen: Screen): string =>
  tableOf(
    views,
    [
      { title: 'name', cell: ({ schedule }) => schedule.name },
      { title: 'when', gives: true, least: 16, cell: ({ words }) => oneLine(words) },
      { title: 'zone', cell: ({ schedule }) => schedule.spec.timing.zone },
      { title: 'next', cell: ({ schedule }) => nextOf(schedule, now, screen.style) },
      { title: 'command', gives: true, spare: 1, cell: ({ schedule }) => commandLine(schedule.job.command) },
    ],
    screen,
  );

const nextOf = (schedule: Schedule, now: number, { warn }: Screen['style']): string =>
  stateOf(schedule) === 'active' ? fromNow(schedule.nextAt, now) : warn(stateOf(schedule));

/** Returns 'backup  added  every day at 02:30, Europe/Berlin', and a line for each next run. */
export function scheduleLines(view: ScheduleView, verb: string, now: number, { style }: Screen): string {
  const { schedule, words } = view;
  const head = `${style.bold(schedule.name)}  ${verb}  ${oneLine(words)}, ${schedule.spec.timing.zone}`;
  return [head, ...timeLines(view, now)].join('\n');
}

export const timeLines = ({ schedule, next }: ScheduleView, now: number): string[] => [
  ...next.map((at) => {
    const { zone } = schedule.spec.timing;
    return `${INDENT}${timeInZone(at, zone)} ${zone}  ${fromNow(at, now)}`;
  }),
  ...(schedule.spec.jitterMs === 0 ? [] : [`${INDENT}each delayed by ${duration(delayOf(schedule))} (jitter)`]),
];

const delayOf = ({ name, spec }: Schedule): number => dueAt(0, { name, jitterMs: spec.jitterMs });

export function scheduleDetails(view: ScheduleView, ticks: readonly Tick[], now: number, screen: Screen): string {
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

const tickTable = ({ spec }: Schedule, ticks: readonly Tick[], screen: Screen): string =>
  tableOf(
    ticks,
    [
      { title: `${INDENT}run`, cell: ({ at }) => INDENT + timeInZone(at, spec.timing.zone) },
      { title: 'outcome', cell: ({ outcome }) => outcomeText(outcome, screen.style) },
      { title: 'job', cell: ({ jobId }) => jobId ?? '' },
      { title: 'why', gives: true, cell: ({ reason }) => (reason === null ? '' : reasonInWords(reason)) },
    ],
    screen,
  );

const outcomeText = (outcome: Tick['outcome'], { warn }: Screen['style']): string =>
  outcome === 'skipped' ? warn('skipped') : outcome;

function nextCommands(schedule: Schedule): string[] {
  const { name } = schedule;
  const change = stateOf(schedule) === 'paused' ? 'resume' : 'pause';
  return [`queuectl schedule run ${name}`, `queuectl schedule ${change} ${name}`, `queuectl schedule edit ${name}`];
}
