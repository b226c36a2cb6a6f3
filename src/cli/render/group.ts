// Groups as text: a table, the details of one, a progress line, and a summary.

import { STATES, type Job, type JobState } from '../../job/job.ts';
import { endedIn, endOf, FAILED_ENDS, failedIn, type GroupReport, sizeOf } from '../../report/group.ts';
import type { Pace } from '../../report/metrics/pace.ts';
import type { GroupRecord } from '../../store/store.ts';
import type { Screen } from '../terminal.ts';
import { age, count, dateTime, fromNow, many } from './kit/human.ts';
import { FAILED, jobTable, RUNNING, type JobColumns } from './job.ts';
import type { Style } from './kit/style.ts';
import { type Column, table } from './kit/table.ts';
import { cut, flow, visibleWidth } from './kit/text.ts';

type Counts = GroupRecord['counts'];

const INDENT = '  ';
const ALWAYS: readonly JobState[] = ['pending', 'processing', 'dead', 'completed'];

export function groupTable(groups: readonly GroupRecord[], now: number, { style, width }: Screen): string {
  const states = STATES.filter((state) => ALWAYS.includes(state) || groups.some(({ counts }) => counts[state] > 0));
  const columns: Column[] = [
    { title: 'group' },
    { title: 'jobs', align: 'right' },
    ...states.map((title): Column => ({ title, align: 'right', spare: ALWAYS.includes(title) ? 1 : 2 })),
    { title: 'at once', align: 'right', spare: 3 },
    { title: 'created', spare: 4 },
  ];
  const rows = groups.map(({ name, counts, concurrency, createdAt }) => [
    name,
    count(sizeOf(counts)),
    ...states.map((state) => painted(style, state, counts[state])),
    concurrency === null ? '' : count(concurrency),
    fromNow(createdAt, now),
  ]);
  return table(columns, rows, width, style);
}

const painted = (style: Style, state: JobState, n: number): string =>
  n === 0 ? style.dim('0') : style.state(state)(count(n));

export function groupText(report: GroupReport, screen: Screen, pace?: Pace): string {
  const { group, now } = report;
  const { style, width } = screen;
  return [
    `${style.bold(group.name)}  ${standing(group)}`,
    INDENT + progressLine(group, screen, pace),
    flow([...countsOf(group.counts, style), ...propertiesOf(group, now)], width, INDENT),
    ...jobsBelow(report.running, RUNNING, report, screen),
    ...jobsBelow(report.failed, FAILED, report, screen),
    ...moreThanShown(report).map((line) => INDENT + line),
    '',
    style.dim(flow(nextCommands(group), width, INDENT)),
  ].join('\n');
}

function standing(group: GroupRecord): string {
  const end = endOf(group);
  if (end === null) return 'running';
  return end === 'completed' ? 'completed' : `finished, with ${end} jobs`;
}

const countsOf = (counts: Counts, style: Style): string[] =>
  STATES.filter((state) => counts[state] > 0).map((state) => `${style.state(state)(count(counts[state]))} ${state}`);

const propertiesOf = ({ concurrency, createdAt }: GroupRecord, now: number): string[] => [
  ...(concurrency === null ? [] : [`${count(concurrency)} at once`]),
  `created ${fromNow(createdAt, now)} (${dateTime(createdAt)})`,
];

function jobsBelow(jobs: readonly Job[], columns: JobColumns, { now }: GroupReport, screen: Screen): string[] {
  if (jobs.length === 0) return [];
  const room = screen.width === null ? null : screen.width - INDENT.length;
  const { head, rows } = jobTable(columns, jobs, true, now, { ...screen, width: room });
  return ['', ...[head, ...rows(jobs, now)].map((line) => INDENT + line)];
}

function moreThanShown({ group, failed }: GroupReport): string[] {
  const left = failedIn(group.counts) - failed.length;
  if (left <= 0) return [];
  return [
    `and ${many(left, 'more job')}; list them with: queuectl list --group ${group.name} --state ${FAILED_ENDS.join(',')} --limit 0`,
  ];
}

function nextCommands({ name, counts }: GroupRecord): string[] {
  const isUnderWay = endedIn(counts) < sizeOf(counts);
  return [
    `queuectl list --group ${name}`,
    ...(isUnderWay ? [`queuectl wait --group ${name}`, `queuectl group cancel ${name}`] : []),
    ...(counts.dead + counts.failed > 0 ? [`queuectl group retry ${name}`] : []),
    ...(isUnderWay ? [] : [`queuectl group delete ${name}`]),
  ];
}

const BAR_WIDTH = 20;
const SHORT_BAR_WIDTH = 10;
const USUAL_WIDTH = 80;

/** A part of the line. If there is no room, parts with the highest `spare` are left out first; null is always kept. */
interface Part {
  readonly text: string;
  readonly spare: number | null;
}

/**
 * Returns '██████░░░░  312 of 500 done · 4 running · 2 dead · 3.1 a second · 1 min left', always on one line. The
 * count, failures and remaining time are kept longest.
 */
export function progressLine(group: GroupRecord, { style, width }: Screen, pace?: Pace): string {
  const [ended, total] = [endedIn(group.counts), sizeOf(group.counts)];
  const room = (width ?? USUAL_WIDTH) - INDENT.length - 1;
  const all = progressParts(group.counts, style, pace);
  const lineOf = (parts: readonly Part[], barWidth: number): string =>
    `${style.accent(bar(ended, total, barWidth))}  ${parts.map(({ text }) => text).join(' · ')}`;
  const lines = [lineOf(all, BAR_WIDTH), ...fewerAndFewer(all).map((parts) => lineOf(parts, SHORT_BAR_WIDTH))];
  return lines.find((line) => visibleWidth(line) <= room) ?? cut(lines.at(-1) ?? '', room);
}

function progressParts(counts: Counts, style: Style, pace?: Pace): Part[] {
  const [ended, total] = [endedIn(counts), sizeOf(counts)];
  const part = (text: string, spare: number | null = null): Part => ({ text, spare });
  return [
    part(`${count(ended)} of ${count(total)} done`),
    ...(counts.processing > 0 ? [part(`${count(counts.processing)} running`, 3)] : []),
    ...(counts.failed > 0 ? [part(`${count(counts.failed)} waiting for a retry`, 1)] : []),
    ...FAILED_ENDS.filter((state) => counts[state] > 0).map((state) =>
      part(`${style.state(state)(count(counts[state]))} ${state}`),
    ),
    ...(pace && ended < total ? paceParts(pace, total - ended, counts.failed > 0) : []),
  ];
}

/** Returns all parts, then with one more part left out each time. */
function fewerAndFewer(parts: readonly Part[]): (readonly Part[])[] {
  const spares = parts.flatMap(({ spare }) => spare ?? []).sort((a, b) => b - a);
  return [parts, ...spares.map((from) => parts.filter(({ spare }) => spare === null || spare < from))];
}

function bar(ended: number, total: number, width: number): string {
  const filled = total === 0 ? width : Math.floor((ended / total) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

/** The remaining time is unknown if jobs wait for their backoff. */
function paceParts(pace: Pace, left: number, areRetried: boolean): Part[] {
  const [rate, leftMs] = [pace.perSecond, pace.msFor(left)];
  if (rate === null || leftMs === null) return [];
  return [{ text: rateText(rate), spare: 2 }, ...(areRetried ? [] : [{ text: `${age(leftMs)} left`, spare: null }])];
}

/** Uses minutes or hours for slow rates, instead of '0.0 a second'. */
function rateText(perSecond: number): string {
  const [n, unit] =
    perSecond >= 1
      ? [perSecond, 'second']
      : perSecond * 60 >= 1
        ? [perSecond * 60, 'minute']
        : [perSecond * 3600, 'hour'];
  return `${n < 10 ? n.toFixed(1) : count(n)} a ${unit}`;
}

/** The result of a finished group, with its failed jobs. */
export function summaryText(report: GroupReport, screen: Screen): string {
  const { group } = report;
  const { counts, name } = group;
  const failed = failedIn(counts) > 0;
  return [
    `${screen.style.bold(name)}  ${many(sizeOf(counts), 'job')}: ${failed ? countsOf(counts, screen.style).join(', ') : 'all completed'}`,
    ...jobsBelow(report.failed, FAILED, report, screen),
    ...moreThanShown(report).map((line) => INDENT + line),
    ...(counts.dead > 0 ? ['', screen.style.dim(`${INDENT}queuectl logs ID · queuectl group retry ${name}`)] : []),
  ].join('\n');
}
