// Status as text: a row for each queue, and notes about what needs attention.

import type { JobState } from '../../job/job.ts';
import { type Status, WAITING_COUNTED } from '../../report/status.ts';
import { startCommandFor } from '../../report/waiting/waiting.ts';
import type { WorkerCounts } from '../../report/workers.ts';
import type { QueueCounts } from '../../store/store.ts';
import type { Screen } from '../terminal.ts';
import { age, count, fromNow, many } from './kit/human.ts';
import { type Column, table } from './kit/table.ts';
import { flow, labelled, oneLine, visibleWidth, words } from './kit/text.ts';

const ALWAYS: readonly JobState[] = ['pending', 'processing', 'failed', 'dead', 'completed'];
const WHEN_ANY: readonly JobState[] = ['blocked', 'cancelled'];

export function statusText(status: Status, screen: Screen): string {
  if (status.queues.length === 0) return emptyText(status, screen);
  const withWorkers = queueTable(status, screen, true);
  // With several queues, the workers would be repeated in each row.
  const inTable = status.queues.length === 1 && fits(withWorkers, screen.width);
  const shown = inTable ? withWorkers : queueTable(status, screen, false);
  const counts = fits(shown, screen.width) ? shown : stacked(status, screen);
  const workers = inTable || status.workers.active === 0 ? [] : [`workers: ${workersCell(status.workers)}`];
  const lines = [flow([...workers, ...notes(status)], screen.width), hostsLine(status, screen)];
  return [placeLine(status, screen), counts, ...lines, ...warnings(status, screen)]
    .filter((part) => part !== '')
    .join('\n');
}

function emptyText(status: Status, screen: Screen): string {
  const { active } = status.workers;
  const waiting = active === 0 ? '' : `, ${many(active, 'worker')} ready`;
  const next = screen.style.dim("queuectl enqueue 'make thumbnails'");
  return [
    placeLine(status, screen),
    `the queue is empty${waiting}; add a job: ${next}`,
    flow(flowNotes(status), screen.width),
    hostsLine(status, screen),
    ...warnings(status, screen),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Shows the database, so that users notice if they look at the wrong one. */
const placeLine = ({ place }: Status, { style, width }: Screen): string =>
  words(`database ${oneLine(place)}`, width ?? Number.POSITIVE_INFINITY)
    .map(style.dim)
    .join('\n');

const fits = (text: string, width: number | null): boolean =>
  width === null || text.split('\n').every((line) => visibleWidth(line) <= width);

const statesOf = ({ totals }: Status): JobState[] => [...ALWAYS, ...WHEN_ANY.filter((state) => totals[state] > 0)];

function queueTable(status: Status, { style }: Screen, withWorkers: boolean): string {
  const states = statesOf(status);
  const columns: Column[] = [
    { title: 'queue' },
    ...states.map((title): Column => ({ title, align: 'right' })),
    { title: 'oldest', align: 'right' },
    ...(withWorkers ? [{ title: 'workers' }] : []),
  ];
  const rows = status.queues.map((row) => [
    row.queue,
    ...states.map((state) => paint(style, state, row.counts[state])),
    oldest(row, status.now),
    ...(withWorkers ? [workersCell(status.workers)] : []),
  ]);
  return table(columns, rows, null, style);
}

/** Dims zeros. */
const paint = (style: Screen['style'], state: JobState, n: number): string =>
  n === 0 ? style.dim('0') : style.state(state)(count(n));

const oldest = ({ oldestPendingAt }: QueueCounts, now: number): string =>
  oldestPendingAt === null ? '' : age(now - oldestPendingAt);

const workersCell = ({ active, busy }: WorkerCounts): string =>
  active === 0 ? 'none' : `${count(active)} (${count(busy)} busy)`;

/** The workers of each host, if there are several hosts. */
function hostsLine({ hosts }: Status, { width }: Screen): string {
  if (hosts.length < 2) return '';
  const cells = hosts.map((host) => `${oneLine(host.host)} ${workersCell(host)}${lostCell(host)}`);
  return labelled('hosts: ', 'hosts: '.length, cells, width);
}

const lostCell = ({ lost }: WorkerCounts): string => (lost === 0 ? '' : `, ${count(lost)} lost`);

/** For terminals that are too narrow for the table: only states with jobs. */
function stacked(status: Status, { style, width }: Screen): string {
  const blocks = status.queues.map((row) => {
    const states = statesOf(status).filter((state) => state === 'pending' || row.counts[state] > 0);
    const counts = states.map((state) => `${paint(style, state, row.counts[state])} ${state}`);
    const since = oldest(row, status.now);
    return `${row.queue}\n${flow([...counts, ...(since ? [`oldest ${since}`] : [])], width, '  ')}`;
  });
  return blocks.join('\n');
}

function notes(status: Status): string[] {
  const { totals, workers, unserved, now } = status;
  const [first] = unserved;
  const found: string[] = [];
  if (totals.failed > 0) found.push(`${count(totals.failed)} failed, ${retryIn(status)}`);
  if (hasOnlyLater(status)) found.push(`next run ${fromNow(status.nextRunAt, now)}`);
  if (totals.dead > 0) found.push(`${count(totals.dead)} dead; list them with: queuectl dlq list`);
  found.push(...flowNotes(status));
  if (first !== undefined) found.push(unservedNote(unserved, workers.active > 0));
  if (workers.lost > 0) found.push(lostNote(workers, first !== undefined));
  return found;
}

/** What delays jobs besides workers and time. */
function flowNotes({ waits, paused, isAllPaused, now }: Status): string[] {
  return [
    ...(isAllPaused ? ['all queues are paused; resume with: queuectl queue resume'] : []),
    ...(paused.length === 0 ? [] : [`paused: ${paused.join(', ')}; resume with: queuectl queue resume ${paused[0]}`]),
    ...(waits.held === 0 ? [] : [`${bounded(waits.held)} held; list them with: queuectl list held:yes`]),
    ...(waits.atGate === 0 ? [] : [`${bounded(waits.atGate)} waiting for a free slot of their key or group`]),
    ...(waits.nextTickAt === null ? [] : [`next scheduled run ${fromNow(waits.nextTickAt, now)}`]),
  ];
}

/** Counts above the limit are shown as '1,000+'. */
const bounded = (n: number): string => `${count(n)}${n >= WAITING_COUNTED ? '+' : ''}`;

const retryIn = ({ nextRetryAt, now }: Status): string =>
  nextRetryAt === null || nextRetryAt <= now ? 'retry is due' : `next retry ${fromNow(nextRetryAt, now)}`;

/** Whether all waiting jobs start later. */
const hasOnlyLater = ({ totals, oldestPendingAt, nextRunAt, nextRetryAt, now }: Status): boolean =>
  totals.pending > 0 && oldestPendingAt === null && nextRunAt !== null && nextRunAt > now && nextRunAt !== nextRetryAt;

function unservedNote(queues: readonly string[], isAnyRunning: boolean): string {
  const who = isAnyRunning ? `no worker serves ${queues.join(', ')}` : 'no worker is running';
  return `${who}; start one: ${startCommandFor(queues, isAnyRunning)}`;
}

function lostNote({ lost, active }: WorkerCounts, isStartSaid: boolean): string {
  const jobs = lost === 1 ? 'its jobs' : 'their jobs';
  if (active > 0) return `${many(lost, 'worker')} lost; ${jobs} restart within seconds`;
  return `${many(lost, 'worker')} lost; ${jobs} restart ${isStartSaid ? 'when a worker starts' : 'after queuectl worker start'}`;
}

const warnings = ({ degraded, admission }: Status, { style }: Screen): string[] => [
  ...degraded.map((notice) => style.warn(`! degraded: ${oneLine(notice)}`)),
  ...admission.map((notice) => style.warn(`! worker ${oneLine(notice)}`)),
];
