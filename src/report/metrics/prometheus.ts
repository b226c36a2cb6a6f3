// The Prometheus metrics by family. A test compares them with docs/reference/metrics.md.

import { OUTCOMES, STATES } from '../../job/job.ts';
import type { WorkerView } from '../../queue/queue.ts';
import { OTHER_QUEUES } from '../../series/fold.ts';
import type { Histogram } from '../../series/histogram.ts';
import { JOB_COUNTS, type JobCount, type Tally } from '../../series/tally.ts';
import type { QueueLimit } from '../../store/store.ts';
import { counter, exposition, type Family, gauge, histogram, type Sample } from './exposition.ts';
import type { Scrape } from './scrape.ts';
import { secondsSince } from '../status.ts';
import { serves } from '../workers.ts';

export const prometheusText = (scrape: Scrape): string => exposition(familiesOf(scrape));

export const familiesOf = (scrape: Scrape): Family[] => [
  ...jobFamilies(scrape),
  ...attemptFamilies(scrape),
  ...workerFamilies(scrape),
  ...waitFamilies(scrape),
  ...limitFamilies(scrape),
  ...scheduleFamilies(scrape),
  ...storeFamilies(scrape),
];

const single = (value: number): readonly Sample[] => [[{}, value]];

const JOB_HELP: Readonly<Record<JobCount, string>> = {
  enqueued: 'Jobs enqueued.',
  completed: 'Jobs completed.',
  dead: 'Jobs that became dead.',
  cancelled: 'Jobs cancelled.',
};

function jobFamilies({ queues, totals, now }: Scrape): Family[] {
  return [
    gauge(
      'jobs',
      'Jobs by queue and state.',
      queues.flatMap(({ queue, counts }) => STATES.map((state): Sample => [{ queue, state }, counts[state]])),
    ),
    gauge(
      'oldest_pending_seconds',
      'Waiting time of the oldest job that is ready to run.',
      queues.map(({ queue, oldestPendingAt }) => [{ queue }, secondsSince(oldestPendingAt, now) ?? 0]),
    ),
    ...JOB_COUNTS.map((what) =>
      counter(
        `jobs_${what}_total`,
        JOB_HELP[what],
        [...totals].map(([queue, { jobs }]): Sample => [{ queue }, jobs?.[what] ?? 0]),
      ),
    ),
  ];
}

const NOTHING: Histogram = { sum: 0, in: {} };

function attemptFamilies({ totals }: Scrape): Family[] {
  const times = (of: (tally: Tally) => Histogram | undefined) =>
    [...totals].map(([queue, tally]) => [{ queue }, of(tally) ?? NOTHING] as const);
  return [
    counter(
      'attempts_started_total',
      'Attempts started.',
      [...totals].map(([queue, { started }]): Sample => [{ queue }, started ?? 0]),
    ),
    counter(
      'attempts_ended_total',
      'Attempts finished, by outcome.',
      [...totals].flatMap(([queue, { attempts }]) =>
        OUTCOMES.map((outcome): Sample => [{ queue, outcome }, attempts?.[outcome] ?? 0]),
      ),
    ),
    counter(
      'attempt_cpu_seconds_total',
      'CPU time of attempts, user and system, as far as known.',
      [...totals].map(([queue, { cpuMs }]): Sample => [{ queue }, (cpuMs ?? 0) / 1000]),
    ),
    histogram(
      'attempt_run_seconds',
      'Run time of attempts that finished or timed out.',
      times(({ run }) => run),
    ),
    histogram(
      'attempt_wait_seconds',
      'Time from when an attempt could have started until it started.',
      times(({ wait }) => wait),
    ),
  ];
}

const WORKER_STATES = ['idle', 'busy', 'stopping', 'lost'] as const;

function workerFamilies({ workers, queues }: Scrape): Family[] {
  const active = workers.filter(({ state }) => state !== 'lost');
  const takers = active.filter(({ state }) => state !== 'stopping');
  const sum = (of: (worker: WorkerView) => number): number => active.reduce((n, worker) => n + of(worker), 0);
  return [
    gauge(
      'workers',
      'Workers by state.',
      WORKER_STATES.map((state) => [{ state }, workers.filter((worker) => worker.state === state).length]),
    ),
    gauge('worker_slots', 'Slots of all workers that are not lost.', single(sum(({ concurrency }) => concurrency))),
    gauge('worker_running_jobs', 'Jobs running in those slots.', single(sum(({ running }) => running.length))),
    gauge(
      'queue_workers',
      'Workers that serve a queue.',
      queues
        .filter(({ queue }) => queue !== OTHER_QUEUES)
        .map(({ queue }) => [{ queue }, takers.filter((worker) => serves(worker, queue)).length]),
    ),
  ];
}

const waitFamilies = ({ waits }: Scrape): Family[] => [
  gauge('held_jobs', 'Held jobs; counted up to 10000.', single(waits.held)),
  gauge(
    'limited_jobs',
    'Jobs waiting for a free slot of their key or group; counted up to 10000.',
    single(waits.atGate),
  ),
  gauge('groups', 'Groups of jobs; counted up to 10000.', single(waits.groups)),
];

/** Only for queues with settings. */
function limitFamilies({ limits }: Scrape): Family[] {
  const ofQueues = (value: (limit: QueueLimit) => number | null): Sample[] =>
    limits.flatMap((limit): Sample[] => {
      const found = value(limit);
      return found === null ? [] : [[{ queue: limit.queue }, found]];
    });
  return [
    gauge(
      'queue_paused',
      'Whether a queue is paused; * stands for all queues.',
      ofQueues(({ pausedAt }) => (pausedAt === null ? 0 : 1)),
    ),
    gauge(
      'queue_concurrency_limit',
      'Maximum number of running jobs of a queue.',
      ofQueues(({ concurrency }) => concurrency),
    ),
    gauge(
      'queue_rate_limit',
      'Maximum number of jobs of a queue started per second.',
      ofQueues(({ ratePerSecond }) => ratePerSecond),
    ),
  ];
}

const scheduleFamilies = ({ waits, total, now }: Scrape): Family[] => [
  gauge('schedules', 'Schedules; counted up to 10000.', single(waits.schedules)),
  gauge(
    'next_schedule_timestamp_seconds',
    'Time of the next run of a schedule.',
    waits.nextTickAt === null ? [] : single(waits.nextTickAt / 1000),
  ),
  gauge(
    'schedule_lateness_seconds',
    'Time since a scheduled run was due without being processed.',
    single(secondsSince(waits.nextTickAt, now) ?? 0),
  ),
  counter('schedule_skipped_ticks_total', 'Scheduled runs that created no job.', single(total.skippedTicks ?? 0)),
];

/** A turn of the store is slow long before the upper bounds of job times. */
const TURN_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];

const storeFamilies = (scrape: Scrape): Family[] => [
  histogram(
    'store_turn_seconds',
    'Duration of worker polls: a transaction that reports and claims.',
    [[{}, scrape.total.turn ?? NOTHING]],
    TURN_BOUNDS,
  ),
  gauge('store_read_seconds', 'Duration of a small read just now.', single(scrape.readMs / 1000)),
  gauge('database_bytes', 'Size of the database.', single(scrape.databaseBytes)),
  gauge('wal_bytes', 'Size of the write-ahead log of a file; 0 on PostgreSQL.', single(scrape.walBytes)),
  gauge(
    'disk_free_bytes',
    'Free space on the disk of the database directory.',
    scrape.disk ? single(scrape.disk.freeBytes) : [],
  ),
  gauge(
    'disk_size_bytes',
    'Size of the disk of the database directory.',
    scrape.disk ? single(scrape.disk.totalBytes) : [],
  ),
  gauge('build_info', 'Always 1; the labels contain the program version and the database type.', [
    [{ version: scrape.version, engine: scrape.engine }, 1],
  ]),
];
