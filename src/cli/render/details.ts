// One job in full: what it is, how it stands, why it does not run, its attempts, what to type next.

import type { Attempt, Job } from '../../job/job.ts';
import type { Details } from '../../report/details.ts';
import type { Terminal } from '../terminal.ts';
import { age, clock, commandLine, dateTime, duration, fromNow, many } from './human.ts';
import { attemptsOf } from './job.ts';
import { table } from './table.ts';
import { flow, oneLine, visibleWidth } from './text.ts';

type Screen = Pick<Terminal, 'style' | 'width'>;

const INDENT = '  ';
/** On a terminal the first attempts of a long history would push the rest off the screen. */
const SHOWN_ATTEMPTS = 20;

export function detailsText(details: Details, show: { env: boolean }, screen: Screen): string {
  const { job } = details;
  const { style, width } = screen;
  const parts = [
    heading(job, screen),
    flow(properties(job), width, INDENT),
    ...environment(job, show.env, width),
    ...standing(details).map((line) => INDENT + line),
    ...waiting(details, screen),
    ...(details.history.length > 0 ? ['', attemptTable(details, screen)] : []),
    '',
    style.dim(flow(nextCommands(details), width, INDENT)),
  ];
  return parts.join('\n');
}

/** The command stands beside the id when it fits there, else beneath it, line for line. */
function heading(job: Job, { style, width }: Screen): string {
  const head = `${style.bold(job.id)}  ${style.state(job.state)(job.state)}`;
  const line = `${head}  ${commandLine(job.command)}`;
  const isOneLine = typeof job.command !== 'string' || !job.command.includes('\n');
  if (isOneLine && (width === null || visibleWidth(line) <= width)) return line;
  const lines = isOneLine
    ? [commandLine(job.command)]
    : (job.command as string).trimEnd().split(/\r?\n/).map(oneLine);
  return [head, ...lines.map((text) => `${INDENT}${INDENT}${text}`)].join('\n');
}

function properties(job: Job): string[] {
  return [
    `queue ${job.queue}`,
    `priority ${job.priority}`,
    ...(job.cwd === null ? [] : [oneLine(job.cwd)]),
    ...(job.timeoutSeconds === null ? [] : [`timeout ${duration(job.timeoutSeconds * 1000)}`]),
    ...(job.backoffStrategy === null ? [] : [`backoff ${job.backoffStrategy}`]),
    ...(job.backoffBase === null ? [] : [`backoff base ${job.backoffBase}`]),
    ...(job.interruptions === 0 ? [] : [`lost ${many(job.interruptions, 'worker')}`]),
  ];
}

function environment(job: Job, withValues: boolean, width: number | null): string[] {
  const names = Object.keys(job.env);
  if (names.length === 0) return [];
  if (!withValues) return [flow([`env ${names.map(oneLine).join(' ')}`], width, INDENT)];
  return Object.entries(job.env).map(([name, value]) => `${INDENT}env ${oneLine(name)}=${oneLine(value)}`);
}

/** When it came, and where it stands now. */
function standing({ job, history, now }: Details): string[] {
  const isToldBelow = job.lastError === history.at(-1)?.error;
  return [
    `created ${when(job.createdAt, now)}`,
    ...STANDING[job.state](job, now),
    ...(job.state === 'dead' && job.lastError !== null && !isToldBelow ? [oneLine(job.lastError)] : []),
    ...(job.logPath === null ? [] : [`log ${oneLine(job.logPath)}`]),
  ];
}

const STANDING: Readonly<Record<Job['state'], (job: Job, now: number) => string[]>> = {
  blocked: () => [],
  pending: (job, now) => ((job.nextRunAt ?? 0) > now ? [`runs ${when(job.nextRunAt, now)}`] : []),
  failed: (job, now) => [
    (job.nextRunAt ?? 0) > now
      ? `retry ${job.attempts} of ${job.maxRetries} ${when(job.nextRunAt, now)}`
      : `retry ${job.attempts} of ${job.maxRetries} is due`,
  ],
  processing: (job, now) => [
    `attempt ${attemptsOf(job)} runs for ${age(now - (job.startedAt ?? now))} on worker ${job.lockedBy}`,
    ...(job.cancelRequestedAt === null
      ? []
      : [`is being cancelled, asked for ${fromNow(job.cancelRequestedAt, now)}`]),
  ],
  completed: (job, now) => [`completed ${when(job.finishedAt, now)}${tookOf(job)}`],
  dead: (job, now) => [`died ${when(job.finishedAt, now)} after ${many(job.attempts, 'attempt')}`],
  cancelled: (job, now) => [`cancelled ${when(job.finishedAt, now)}`],
};

const when = (at: number | null, now: number): string =>
  at === null ? '' : `${fromNow(at, now)} (${dateTime(at)})`;
const tookOf = (job: Job): string => (job.durationMs === null ? '' : `, took ${duration(job.durationMs)}`);

/** That it waits for its time has been said. */
function waiting({ waits }: Details, { style }: Screen): string[] {
  return waits
    .filter(({ reason }) => reason !== 'its_time')
    .map(({ message, hint }) => `${INDENT}${style.warn(message)}${hint ? `: ${hint}` : ''}`);
}

function attemptTable({ history, now }: Details, { style, width }: Screen): string {
  const shown = width === null ? history : history.slice(-SHOWN_ATTEMPTS);
  const isToday = shown.every(
    ({ startedAt }) => dateTime(startedAt).slice(0, 10) === dateTime(now).slice(0, 10),
  );
  const columns = [
    { title: '#', align: 'right' as const },
    { title: 'started' },
    { title: 'took', align: 'right' as const },
    { title: 'worker', spare: 1 },
    { title: 'ended', wraps: true },
  ];
  const rows = shown.map((attempt) => [
    String(attempt.number),
    (isToday ? clock : dateTime)(attempt.startedAt),
    attempt.endedAt === null ? age(now - attempt.startedAt) : duration(attempt.endedAt - attempt.startedAt),
    attempt.workerId,
    ended(attempt),
  ]);
  const text = table(columns, rows, width === null ? null : width - INDENT.length, style);
  const left = history.length - shown.length;
  const more = left > 0 ? [style.dim(`${many(left, 'earlier attempt')} not shown: --json has all`)] : [];
  return [...more, text].join('\n').replace(/^/gm, INDENT);
}

function ended(attempt: Attempt): string {
  if (attempt.outcome === null) return 'running';
  return oneLine(attempt.error ?? (attempt.outcome === 'completed' ? 'exit code 0' : attempt.outcome));
}

function nextCommands({ job, history }: Details): string[] {
  const { id } = job;
  const logs = history.length === 0 ? [] : [`queuectl logs ${id}`];
  const next: Readonly<Record<Job['state'], string[]>> = {
    blocked: [`queuectl cancel ${id}`],
    pending: [...logs, `queuectl cancel ${id}`],
    processing: [`queuectl logs -f ${id}`, `queuectl cancel ${id}`],
    failed: [...logs, `queuectl retry ${id}`, `queuectl cancel ${id}`],
    completed: [...logs, `queuectl retry ${id}`],
    dead: [...logs, `queuectl dlq retry ${id}`, `queuectl delete ${id}`],
    cancelled: [...logs, `queuectl retry ${id}`, `queuectl delete ${id}`],
  };
  return next[job.state];
}
