// Jobs to test with, and random ones: everything that a checked input can be.

import fc from 'fast-check';
import { FAILURE_POLICIES } from '../../src/job/dependencies.ts';
import { HOOK_NAMES } from '../../src/job/hooks.ts';
import { type Ending, type Job, type NewJob, STRATEGIES } from '../../src/job/job.ts';
import { USUAL_RULES } from '../../src/job/outcome-rules.ts';
import type { Task } from '../../src/store/store.ts';

export const T0 = Date.parse('2026-03-02T10:00:00.000Z'); // a Monday

/** A job that waits for nothing but its time, and belongs to no group. */
const NO_FLOW = {
  name: null,
  group: null,
  groupConcurrency: null,
  key: null,
  keyConcurrency: null,
  weight: null,
  dependsOn: [],
  onDependencyFailure: 'cancel',
  schedule: null,
  scheduledAt: null,
  groupHooks: {},
  hooks: {},
  hookOf: null,
  tags: [],
  uniqueKey: null,
  uniqueFor: null,
  ifExists: null,
} as const;

export const newJob = (id: string, more: Partial<NewJob> = {}): NewJob => ({
  id,
  command: 'true',
  queue: 'default',
  priority: 0,
  maxRetries: 3,
  backoffBase: null,
  backoffStrategy: null,
  timeoutSeconds: null,
  runAt: null,
  cwd: '/',
  env: {},
  splitOutput: false,
  outcomeRules: null,
  confinement: null,
  ...NO_FLOW,
  ...more,
});

/** As the store would answer it while its first attempt runs. */
export const runningJob = (more: Partial<Job> = {}): Job => ({
  ...newJob('a'),
  stdinBytes: null,
  progress: null,
  progressNote: null,
  result: null,
  state: 'processing',
  attempts: 1,
  interruptions: 0,
  interruptionsInRow: 0,
  snoozes: 0,
  nextRunAt: null,
  held: null,
  createdAt: T0,
  updatedAt: T0,
  startedAt: T0,
  finishedAt: null,
  durationMs: null,
  exitCode: null,
  signal: null,
  lastError: null,
  fingerprint: null,
  lockedBy: 'w1',
  lockedAt: T0,
  cancelRequestedAt: null,
  logPath: 'a.1.log',
  ...more,
});

export const endings = {
  completed: { outcome: 'completed', exitCode: 0, signal: null, error: null, durationMs: 5 },
  failed: { outcome: 'failed', exitCode: 7, signal: null, error: 'exit code 7', durationMs: 5 },
  snoozed: {
    outcome: 'snoozed',
    exitCode: 75,
    signal: null,
    error: 'asked to be run again in 60 s',
    durationMs: 5,
  },
  signalled: {
    outcome: 'signalled',
    exitCode: null,
    signal: 'SIGSEGV',
    error: 'killed by SIGSEGV',
    durationMs: 5,
  },
  timeout: {
    outcome: 'timeout',
    exitCode: null,
    signal: 'SIGTERM',
    error: 'timeout after 1 s',
    durationMs: 1000,
  },
  not_started: {
    outcome: 'not_started',
    exitCode: null,
    signal: null,
    error: 'no such program',
    durationMs: 0,
  },
  malformed: {
    outcome: 'malformed',
    exitCode: null,
    signal: null,
    error: 'its record is malformed: its env is not an object of texts',
    durationMs: 0,
  },
  cancelled: { outcome: 'cancelled', exitCode: null, signal: 'SIGTERM', error: 'cancelled', durationMs: 5 },
  released: {
    outcome: 'released',
    exitCode: null,
    signal: 'SIGTERM',
    error: 'worker stopped',
    durationMs: 5,
  },
  worker_lost: {
    outcome: 'worker_lost',
    exitCode: null,
    signal: null,
    error: 'its worker was lost',
    durationMs: 5,
  },
} as const satisfies Record<string, Ending>;

const words = fc.array(fc.constantFrom(...'abcxyzABC019._:-'), { minLength: 1, maxLength: 128 });
export const anId = words.map((letters) => letters.join(''));

/** Well-formed text without NUL, rich in what shells, JSON and SQL treat in their own way. */
export const aText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...`'"\`$\\;|&<>(){}[]*?~#!% \n\r\t`,
        '$HOME',
        '$(id)',
        '--',
        "'; DROP TABLE jobs; --",
        '🦊',
        'é',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }).filter((text) => !text.includes('\0')),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

export const aCommand = fc.oneof(
  aText.filter((line) => line.trim() !== ''),
  fc.tuple(aText, fc.array(aText, { maxLength: 4 })).map(([first, rest]) => [first || 'true', ...rest]),
);

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

export const aNewJob: fc.Arbitrary<NewJob> = fc.record({
  id: anId,
  command: aCommand,
  queue: anId,
  priority: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  maxRetries: fc.integer({ min: 0, max: 1_000_000 }),
  backoffBase: orNull(fc.double({ min: 0, max: 315_360_000, noNaN: true }).map(withoutMinusZero)),
  backoffStrategy: orNull(fc.constantFrom(...STRATEGIES)),
  timeoutSeconds: orNull(fc.double({ min: 0.001, max: 315_360_000, noNaN: true })),
  runAt: orNull(fc.integer({ min: 0, max: Date.parse('9999-12-31T23:59:59.999Z') })),
  cwd: fc.constantFrom('/', '/tmp', '/srv/with space/é'),
  env: fc.dictionary(
    aText.filter((name) => name !== '' && !name.includes('=')),
    aText,
    { noNullPrototype: true },
  ),
  splitOutput: fc.boolean(),
  outcomeRules: orNull(fc.constant({ ...USUAL_RULES, snoozeCode: 75 })),
  confinement: orNull(fc.constant({ sandbox: 'strict', user: 'nobody' })),
  stdin: orNull(aText.map((text) => Buffer.from(text))),
  name: orNull(anId),
  group: orNull(anId.filter((name) => !name.startsWith('group:'))),
  groupConcurrency: orNull(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  key: orNull(anId),
  keyConcurrency: orNull(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  weight: orNull(fc.integer({ min: 1, max: 100_000 })),
  dependsOn: fc.constant([]),
  onDependencyFailure: fc.constantFrom(...FAILURE_POLICIES),
  schedule: fc.constant(null),
  scheduledAt: fc.constant(null),
  hooks: fc.dictionary(
    fc.constantFrom(...HOOK_NAMES),
    fc.constantFrom('echo done', 'https://example.com/hook'),
    { noNullPrototype: true },
  ),
  groupHooks: fc.constant({}),
  hookOf: fc.constant(null),
  tags: fc.uniqueArray(anId, { maxLength: 3 }),
  uniqueKey: fc.constant(null),
  uniqueFor: fc.constant(null),
  ifExists: fc.constant(null),
});

/** JSON knows one zero. */
function withoutMinusZero(value: number): number {
  return value === 0 ? 0 : value;
}

/** What a worker is told of a job. */
export const taskOf = ({
  id,
  command,
  queue,
  group,
  attempts,
  timeoutSeconds,
  cwd,
  env,
  splitOutput,
  outcomeRules,
  confinement,
  stdinBytes,
  scheduledAt,
  createdAt,
}: Job): Task => ({
  id,
  command,
  queue,
  group,
  attempts,
  timeoutSeconds,
  cwd,
  env,
  splitOutput,
  outcomeRules,
  confinement,
  stdinBytes,
  scheduledAt,
  createdAt,
});
