// Runs workers in this process: signals, the log, and the options that worker start and worker run share.

import { fstatSync, ftruncateSync, rmSync, writeSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { QueueError, usageError } from '../../errors/errors.ts';
import { isValidId } from '../../job/id.ts';
import type { Queue } from '../../queue/queue.ts';
import { ADMISSION_KEYS, type AdmissionSetting } from '../../settings/admission-settings.ts';
import { parseSetting, type Stored } from '../../settings/settings.ts';
import { jobServerFor } from '../../server/job-server/open-job-server.ts';
import { type QueueBackend, startWorker } from '../../worker/start-worker.ts';
import { pidFilePath } from '../../worker/control/paths.ts';
import type { Worker } from '../../worker/worker.ts';
import type { Context, OptionSpec, OptionSpecs, Result } from '../command.ts';
import { inRange } from '../options/checks.ts';
import { keepParts } from '../keep-parts.ts';
import { guardProgram, webhookProgram } from '../program-path.ts';
import { dashed } from '../../text/dashed.ts';
import { isoOf } from '../../time/iso.ts';
import { oneLine } from '../render/kit/one-line.ts';

const MOST_AT_ONCE = 10_000;
/** How long to wait for a database that does not respond. */
const CLOSE_WITHIN_MS = 1000;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
/** Short jobs write two log lines each; this combines them into fewer writes. */
const LOG_AFTER_MS = 5;

export const WORKERS_ARE_LOCAL =
  'run the worker next to the database with --db, or let the server run jobs: queuectl serve --workers N';

export const WORKER_OPTIONS = {
  concurrency: {
    kind: 'integer',
    short: 'c',
    value: 'M',
    help: 'maximum number of jobs running at once in each worker (default: 1)',
  },
  queue: {
    kind: 'text',
    short: 'q',
    value: 'NAME',
    many: true,
    help: 'serve only this queue (repeatable; default: all)',
  },
  'exit-when-empty': { kind: 'flag', help: 'exit when no job is left to run' },
  'max-load': {
    kind: 'text',
    topic: 'limits',
    value: 'L',
    help: 'start no new jobs while the system load is higher',
  },
  'min-free-memory': {
    kind: 'text',
    topic: 'limits',
    value: 'SIZE',
    help: 'start no new jobs while free memory is below this size, for example 1G',
  },
  'min-free-disk': {
    kind: 'text',
    topic: 'limits',
    value: 'SIZE',
    help: 'start no new jobs while free space on the disk of the database is below this size',
  },
  hours: {
    kind: 'text',
    topic: 'limits',
    value: 'FROM-TO',
    help: 'start jobs only during these hours, for example 22-6',
  },
  'memory-budget': {
    kind: 'text',
    topic: 'limits',
    value: 'SIZE',
    help: 'memory to divide among jobs with --memory (default: all memory of the host)',
  },
} satisfies OptionSpecs;

/** Separate, because --user has another meaning in service install. */
export const JOB_USER_OPTION = {
  user: { kind: 'text', value: 'NAME', help: 'default user for jobs (requires root)' },
} satisfies OptionSpecs;

type WorkerContext = Context<Pick<typeof WORKER_OPTIONS, 'concurrency' | 'queue' | 'exit-when-empty'>>;

/** Returns the start conditions that options set for this worker. */
const admissionOf = (context: Context): Stored =>
  Object.fromEntries(admissionFlags(context).map(([key, text]) => [key, parseSetting(key, text)]));

const admissionFlags = ({ options }: Context): [AdmissionSetting, string][] =>
  Object.entries(options.pick(...ADMISSION_KEYS.map(dashed))).map(([flag, text]) => [
    flag.replaceAll('-', '_') as AdmissionSetting,
    String(text),
  ]);

/** Returns the options as arguments for another process. */
export function workerArguments(context: WorkerContext): string[] {
  const { concurrency, queues, drain } = workerWishes(context);
  admissionOf(context); // reports invalid values in this process
  return [
    '--concurrency',
    String(concurrency),
    ...(queues ?? []).flatMap((queue) => ['--queue', queue]),
    ...(drain ? ['--exit-when-empty'] : []),
    ...admissionFlags(context).flatMap(([key, text]) => [`--${dashed(key)}`, text]),
  ];
}

export async function jobUserArguments({ options }: Context<typeof JOB_USER_OPTION>): Promise<string[]> {
  const { user } = await jobUserOf(options.text('user'));
  return user === undefined ? [] : ['--user', user];
}

const MOST_WORKERS = 1000;

type CountOption = { readonly count: OptionSpec & { readonly kind: 'integer' } };

/** Returns the number of processes. */
export const workerCount = ({ options }: Context<CountOption>): number =>
  inRange('count', options.number('count') ?? 1, 1, MOST_WORKERS);

interface WorkerWishes {
  readonly concurrency: number;
  readonly queues: readonly string[] | null;
  readonly drain: boolean;
}

export function workerWishes({ options }: WorkerContext): WorkerWishes {
  const concurrency = inRange('concurrency', options.number('concurrency') ?? 1, 1, MOST_AT_ONCE);
  const queues = options.all('queue').flatMap((text) => text.split(','));
  const wrong = queues.find((queue) => !isValidId(queue));
  if (wrong !== undefined) {
    throw usageError(`invalid queue name '${wrong}'`, 'use letters, digits and . _ : -');
  }
  return {
    concurrency,
    queues: queues.length > 0 ? [...new Set(queues)] : null,
    drain: options.has('exit-when-empty'),
  };
}

/** Rejects a user as whom this worker could not run jobs. */
async function jobUserOf(user: string | undefined): Promise<{ user?: string }> {
  if (user === undefined) return {};
  const { username } = userInfo();
  if (user === username) return { user };
  if (process.getuid?.() === 0) return { user: await existing(user) };
  throw usageError(
    `only a worker running as root can run jobs as another user; you are '${username}'`,
    'start the worker with sudo, or remove --user',
  );
}

/** Without this check, every job would fail and use up its retries. */
async function existing(user: string): Promise<string> {
  const { accountNamed } = await import('../../isolation/account.ts');
  try {
    accountNamed(user);
    return user;
  } catch (error) {
    throw usageError((error as Error).message, 'pass a user name or a numeric user ID to --user');
  }
}

/** Runs workers in this process until they are stopped, drained or interrupted. */
export async function workHere(
  context: Context<typeof WORKER_OPTIONS & typeof JOB_USER_OPTION>,
  ids: readonly string[],
  isDetached = false,
): Promise<Result> {
  keepParts();
  const wished = { ...workerWishes(context), ...(await jobUserOf(context.options.text('user'))) };
  const admission = admissionOf(context);
  const queue = await context.localQueue();
  const log = isDetached ? logToFile() : logToTerminal(context);
  const workers = ids.map((id) =>
    startWorker(homeWith(queue, admission), {
      id,
      ...wished,
      log,
      guard: guardProgram(),
      webhook: webhookProgram(),
      jobServer: jobServerFor(queue),
      ownsProcess: ids.length === 1,
    }),
  );
  obeySignals(context, workers, isDetached);
  try {
    await Promise.all(workers.map((worker) => worker.run()));
  } finally {
    if (isDetached) for (const id of ids) rmSync(pidFilePath(queue.place, id), { force: true });
  }
  await Promise.race([queue.close(), sleep(CLOSE_WITHIN_MS)]); // the last process removes the WAL file
  expectCurrent(workers);
  return {};
}

/** A service manager starts a failed program again, and then finds the newer version. */
export function expectCurrent(workers: readonly Worker[]): void {
  if (workers.some(({ isOutdated }) => isOutdated)) throw new QueueError('worker_outdated');
}

/** Options win over all settings. */
const homeWith = ({ store, place, overrides, environment }: Queue, flags: Stored): QueueBackend => ({
  store,
  place,
  environment,
  overrides: { ...overrides, ...flags },
});

/** The first signal lets running jobs finish, the second stops and requeues them, the third does not wait for that. */
export function stopWorkers({ terminal }: Context, workers: readonly Worker[], count: number): void {
  for (const worker of workers) {
    if (count > 2) void worker.leaveNow();
    else worker.stop(count > 1 ? 'force' : 'graceful');
  }
  const running = workers.reduce((sum, worker) => sum + worker.runningCount, 0);
  if (count === 1 && running > 0)
    terminal.hint('waiting for running jobs to finish; press Ctrl-C again to stop and requeue them');
}

function obeySignals(context: Context, workers: readonly Worker[], isDetached: boolean): void {
  const stop = (count: number): void => stopWorkers(context, workers, count);
  context.onInterrupt(stop);
  // A detached worker survives its terminal; a worker in the foreground does not.
  process.on('SIGHUP', () => {
    if (!isDetached) stop(1);
  });
}

const stamped = (line: string): string => `${isoOf(Date.now())}  ${oneLine(line)}`;

export function logToTerminal({ terminal }: Context): (line: string) => void {
  return (line) => {
    try {
      terminal.say(stamped(line));
    } catch {
      // stderr is closed; the worker continues.
    }
  };
}

/** The stderr of a detached worker is its log file, whose size is limited. */
function logToFile(): (line: string) => void {
  let unwritten = '';
  const flush = (): void => {
    try {
      if (fstatSync(2).size > LOG_LIMIT_BYTES) ftruncateSync(2);
      writeSync(2, unwritten); // a stream would terminate the process if the disk is full
    } catch {
      // The worker continues without a log if the disk is full.
    }
    unwritten = '';
  };
  process.on('exit', flush);
  return (line) => {
    if (unwritten === '') setTimeout(flush, LOG_AFTER_MS);
    unwritten += `${stamped(line)}\n`;
  };
}
