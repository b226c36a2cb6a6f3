// What Prometheus is told, family by family. docs/reference/metrics.md lists them, and a test compares.

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
  enqueued: 'Jobs that came in.',
  completed: 'Jobs that completed.',
  dead: 'Jobs whose retries were used up.',
  cancelled: 'Jobs that were cancelled.',
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
      'How long the longest waiting job that could run has waited.',
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
      'Attempts that began.',
      [...totals].map(([queue, { started }]): Sample => [{ queue }, started ?? 0]),
    ),
    counter(
      'attempts_ended_total',
      'Attempts that ended, by their outcome.',
      [...totals].flatMap(([queue, { attempts }]) =>
        OUTCOMES.map((outcome): Sample => [{ queue, outcome }, attempts?.[outcome] ?? 0]),
      ),
    ),
    counter(
      'attempt_cpu_seconds_total',
      'Time that attempts spent on CPUs, user and system, as far as it is known.',
      [...totals].map(([queue, { cpuMs }]): Sample => [{ queue }, (cpuMs ?? 0) / 1000]),
    ),
    histogram(
      'attempt_run_seconds',
      'How long attempts ran, of those that came to an end of their own or timed out.',
      times(({ run }) => run),
    ),
    histogram(
      'attempt_wait_seconds',
      'How long attempts waited from when they could have started.',
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
    gauge(
      'worker_slots',
      'Slots of all workers that are not lost.',
      single(sum(({ concurrency }) => concurrency)),
    ),
    gauge(
      'worker_running_jobs',
      'Jobs that run in those slots.',
      single(sum(({ running }) => running.length)),
    ),
    gauge(
      'queue_workers',
      'Workers that take jobs of a queue.',
      queues
        .filter(({ queue }) => queue !== OTHER_QUEUES)
        .map(({ queue }) => [{ queue }, takers.filter((worker) => serves(worker, queue)).length]),
    ),
  ];
}

const waitFamilies = ({ waits }: Scrape): Family[] => [
  gauge('held_jobs', 'Jobs that a person holds back; counting stops at 10000.', single(waits.held)),
  gauge(
    'limited_jobs',
    'Jobs that wait for a place of their key or group; counting stops at 10000.',
    single(waits.atGate),
  ),
  gauge('groups', 'Groups of jobs; counting stops at 10000.', single(waits.groups)),
];

/** Only of queues of which something is said. */
function limitFamilies({ limits }: Scrape): Family[] {
  const ofQueues = (value: (limit: QueueLimit) => number | null): Sample[] =>
    limits.flatMap((limit): Sample[] => {
      const found = value(limit);
      return found === null ? [] : [[{ queue: limit.queue }, found]];
    });
  return [
    gauge(
      'queue_paused',
      'Whether a queue is paused; * stands for all of them.',
      ofQueues(({ pausedAt }) => (pausedAt === null ? 0 : 1)),
    ),
    gauge(
      'queue_concurrency_limit',
      'How many jobs of a queue may run at once.',
      ofQueues(({ concurrency }) => concurrency),
    ),
    gauge(
      'queue_rate_limit',
      'How many jobs of a queue may start a second.',
      ofQueues(({ ratePerSecond }) => ratePerSecond),
    ),
  ];
}

const scheduleFamilies = ({ waits, total, now }: Scrape): Family[] => [
  gauge('schedules', 'Schedules; counting stops at 10000.', single(waits.schedules)),
  gauge(
    'next_schedule_timestamp_seconds',
    'When a schedule next makes a job.',
    waits.nextTickAt === null ? [] : single(waits.nextTickAt / 1000),
  ),
  gauge(
    'schedule_lateness_seconds',
    'How long a tick of a schedule has been due without being decided.',
    single(secondsSince(waits.nextTickAt, now) ?? 0),
  ),
  counter(
    'schedule_skipped_ticks_total',
    'Ticks of schedules that made no job.',
    single(total.skippedTicks ?? 0),
  ),
];

/** A store is slow long before it takes an hour. */
const TURN_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];

const storeFamilies = (scrape: Scrape): Family[] => [
  histogram(
    'store_turn_seconds',
    'How long turns of workers took the store: a transaction that reports and claims.',
    [[{}, scrape.total.turn ?? NOTHING]],
    TURN_BOUNDS,
  ),
  gauge('store_read_seconds', 'How long a small read took just now.', single(scrape.readMs / 1000)),
  gauge('database_bytes', 'Size of the database.', single(scrape.databaseBytes)),
  gauge('wal_bytes', 'Size of the write-ahead log of a file; 0 on PostgreSQL.', single(scrape.walBytes)),
  gauge(
    'disk_free_bytes',
    "Room left on the disk of the queue's folder.",
    scrape.disk ? single(scrape.disk.freeBytes) : [],
  ),
  gauge(
    'disk_size_bytes',
    "Size of the disk of the queue's folder.",
    scrape.disk ? single(scrape.disk.totalBytes) : [],
  ),
  gauge('build_info', 'Always 1; the labels say which program and which store.', [
    [{ version: scrape.version, engine: scrape.engine }, 1],
  ]),
];
