// All details of one job: properties, state, reasons for waiting, attempts, and suggested commands.

import { arrayIndexOf } from '../../job/flow/array-index.ts';
import type { RecipeUse } from '../../job/isolation/isolation.ts';
import type { Job } from '../../job/job.ts';
import { isPointlessToRetry } from '../../job/outcome-rules.ts';
import { secretText } from '../../job/input/secret-input.ts';
import type { Details } from '../../report/details.ts';
import type { Wait } from '../../report/waiting/wait.ts';
import type { Screen } from '../terminal.ts';
import { attemptTable } from './attempt.ts';
import { commandLine } from './kit/command-line.ts';
import { age, dateTime, duration, fromNow, many } from './kit/human.ts';
import { insideLines, outcomeProperties } from './inside.ts';
import { attemptsOf } from './job.ts';
import { confinementWords, limitWords } from './resource-limits.ts';
import { flow, oneLine, visibleWidth, words } from './kit/text.ts';

const INDENT = '  ';

export function detailsText(details: Details, show: { env: boolean }, screen: Screen): string {
  const { job } = details;
  const { style, width } = screen;
  const parts = [
    heading(job, screen),
    flow(properties(job), width, INDENT),
    ...ownVariables(job, show.env, width),
    ...inherited(details, show.env),
    ...standing(details).map((line) => INDENT + line),
    ...waiting(details, screen),
    ...(details.history.length > 0 ? ['', attemptTable(details, screen, INDENT)] : []),
    '',
    style.dim(flow(nextCommands(details), width, INDENT)),
  ];
  return parts.join('\n');
}

/** Shows the command next to the ID if it fits, otherwise below it. */
function heading(job: Job, { style, width }: Screen): string {
  const head = `${style.bold(job.id)}  ${style.state(job.state)(job.state)}`;
  const line = `${head}  ${commandLine(job.command)}`;
  const isOneLine = typeof job.command !== 'string' || !job.command.includes('\n');
  if (isOneLine && (width === null || visibleWidth(line) <= width)) return line;
  const lines = isOneLine ? [commandLine(job.command)] : (job.command as string).trimEnd().split(/\r?\n/).map(oneLine);
  return [head, ...lines.map((text) => `${INDENT}${INDENT}${text}`)].join('\n');
}

function properties(job: Job): string[] {
  return [
    ...(job.name === null ? [] : [`name ${job.name}`]),
    `queue ${job.queue}`,
    ...(job.group === null ? [] : [`group ${job.group}`]),
    ...(arrayIndexOf(job) === null ? [] : [`index ${arrayIndexOf(job)}`]),
    ...(job.key === null ? [] : [`key ${job.key}`]),
    ...(job.weight === null ? [] : [`weight ${job.weight}`]),
    `priority ${job.priority}`,
    ...(job.schedule === null ? [] : [`schedule ${job.schedule}${tickText(job.scheduledAt)}`]),
    ...(job.cwd === null ? [] : [oneLine(job.cwd)]),
    ...(job.timeoutSeconds === null ? [] : [`timeout ${duration(job.timeoutSeconds * 1000)}`]),
    ...(job.backoffStrategy === null ? [] : [`backoff ${job.backoffStrategy}`]),
    ...(job.backoffBase === null ? [] : [`backoff base ${job.backoffBase}`]),
    ...(job.confinement?.recipe === undefined ? [] : [recipeText(job.confinement.recipe)]),
    ...(job.confinement?.secrets ?? []).map((use) => `secret ${secretText(use)}`),
    ...(job.hookOf === null ? [] : [`hook of ${job.hookOf}`]),
    ...Object.entries(job.hooks).map(([name, target]) => `${name.replaceAll('_', ' ')}: ${oneLine(target)}`),
    ...(job.tags.length === 0 ? [] : [`tags ${job.tags.join(' ')}`]),
    ...outcomeProperties(job),
    ...limitWords(job.confinement?.limits),
    ...confinementWords(job.confinement ?? {}),
    ...(job.interruptions === 0 ? [] : [`lost ${many(job.interruptions, 'worker')}`]),
  ];
}

const recipeText = ({ name, params }: RecipeUse): string =>
  [`recipe ${name}`, ...Object.entries(params).map(([key, value]) => oneLine(`${key}=${value}`))].join(' ');

const tickText = (at: number | null): string => (at === null ? '' : `, for ${dateTime(at)}`);

function ownVariables(job: Job, withValues: boolean, width: number | null): string[] {
  const names = Object.keys(job.env);
  if (names.length === 0) return [];
  if (!withValues) return [flow([`env ${names.map(oneLine).join(' ')}`], width, INDENT)];
  return Object.entries(job.env).map(([name, value]) => `${INDENT}env ${oneLine(name)}=${oneLine(value)}`);
}

function inherited({ environment }: Details, withValues: boolean): string[] {
  if (environment === null) return [];
  const entries = Object.entries(environment);
  const line = `${INDENT}environment of the enqueueing shell: ${many(entries.length, 'variable')}`;
  if (!withValues) return [line];
  const values = entries.map(([name, value]) => `${INDENT}${INDENT}${oneLine(name)}=${oneLine(value)}`);
  return [`${line}:`, ...values];
}

/** The creation time and the current state. */
function standing({ job, history, now, logFile }: Details): string[] {
  const isToldBelow = job.lastError === history.at(-1)?.error;
  return [
    `created ${when(job.createdAt, now)}`,
    ...STANDING[job.state](job, now),
    ...insideLines(job),
    ...(isEndedBadly(job) && job.lastError !== null && !isToldBelow ? [oneLine(job.lastError)] : []),
    ...(logFile === null ? [] : [`log ${oneLine(logFile)}`]),
  ];
}

const isEndedBadly = ({ state }: Job): boolean => state === 'dead' || state === 'cancelled';

export const STANDING: Readonly<Record<Job['state'], (job: Job, now: number) => string[]>> = {
  blocked: () => [],
  pending: (job, now) => ((job.nextRunAt ?? 0) > now ? [`starts ${when(job.nextRunAt, now)}`] : []),
  failed: (job, now) => [
    (job.nextRunAt ?? 0) > now
      ? `retry ${job.attempts} of ${job.maxRetries} ${when(job.nextRunAt, now)}`
      : `retry ${job.attempts} of ${job.maxRetries} is due`,
  ],
  processing: (job, now) => [
    `attempt ${attemptsOf(job)} running for ${age(now - (job.startedAt ?? now))} on worker ${job.lockedBy}`,
    ...(job.cancelRequestedAt === null ? [] : [`cancelling, requested ${fromNow(job.cancelRequestedAt, now)}`]),
  ],
  completed: (job, now) => [`completed ${when(job.finishedAt, now)}${tookOf(job)}`],
  dead: (job, now) => [
    `became dead ${when(job.finishedAt, now)} after ${many(job.attempts, 'attempt')}${notRetried(job)}`,
  ],
  cancelled: (job, now) => [`cancelled ${when(job.finishedAt, now)}`],
};

const notRetried = (job: Job): string =>
  isPointlessToRetry(job, job.outcomeRules) ? `; exit code ${job.exitCode} is not retried` : '';

const when = (at: number | null, now: number): string => (at === null ? '' : `${fromNow(at, now)} (${dateTime(at)})`);
const tookOf = (job: Job): string => (job.durationMs === null ? '' : `, took ${duration(job.durationMs)}`);

/** The start time is already shown. */
function waiting({ waits, now }: Details, { style, width }: Screen): string[] {
  const room = width === null ? Number.POSITIVE_INFINITY : width - INDENT.length;
  return waits
    .filter(({ reason }) => reason !== 'scheduled')
    .flatMap((wait) => words(oneLine(waitText(wait, now)), room))
    .map((line) => INDENT + style.warn(line));
}

/** Returns '…, for 4 min: COMMAND'. */
export function waitText({ message, hint, since, until }: Wait, now: number): string {
  const started = since === undefined ? '' : `, for ${age(now - since)}`;
  const ends = until === undefined ? '' : `, until ${fromNow(until, now)}`;
  return `${message}${started}${ends}${hint ? `: ${hint}` : ''}`;
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
