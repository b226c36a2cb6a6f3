// Retries, timeouts and start times.

import { MAX_RETRIES, oneOf, when } from '../input/input-readers.ts';
import { STRATEGIES } from '../job.ts';
import { bigint, double, type FieldTable, OWN, text } from './field.ts';
import { INTEGER, NUMBER, orNull, TEXT, TIME, wordsOf } from './shape.ts';
import { changed, duration, inFuture, MAX_SECONDS, real, whole } from './values.ts';

const BACKOFF_BASE = { ...real(0, MAX_SECONDS), help: 'base of the delay before a retry' };
const RUN_AT = {
  shape: TEXT,
  read: when,
  help: 'do not start before this time: ISO 8601 (UTC unless it names a zone) or relative, such as +5m',
};

export const RETRIES = {
  attempts: {
    json: {
      shape: INTEGER,
      help: 'Starts since the job was enqueued or retried manually, except those that a lost worker interrupted',
    },
    stored: OWN,
  },
  interruptions: {
    json: { shape: INTEGER, help: 'How often a worker was lost while it ran the job' },
    stored: OWN,
  },
  interruptionsInRow: { stored: OWN },
  snoozes: { json: { shape: INTEGER, help: 'How often the job was snoozed' }, stored: OWN },
  maxRetries: {
    input: {
      max_retries: {
        ...whole(0, MAX_RETRIES),
        help: 'retries after the first attempt',
        flag: { kind: 'integer', value: 'N' },
      },
      max_attempts: {
        ...changed(whole(1, MAX_RETRIES + 1), (starts) => starts - 1),
        help: 'starts in all: max_retries + 1',
        isAlias: true,
      },
    },
    edit: 'replace',
    json: { shape: INTEGER },
    stored: { columns: { max_retries: bigint(({ maxRetries }) => maxRetries) }, isCommon: true },
  },
  backoffBase: {
    input: {
      backoff_base: { ...BACKOFF_BASE, flag: { kind: 'number', topic: 'outcome', value: 'SECONDS' } },
      base_backoff: { ...BACKOFF_BASE, isAlias: true },
    },
    unset: null,
    edit: 'replace or unset',
    json: { shape: orNull(NUMBER) },
    stored: { columns: { backoff_base: double(({ backoffBase }) => backoffBase) }, isCommon: true },
  },
  backoffStrategy: {
    input: {
      backoff_strategy: {
        shape: wordsOf(STRATEGIES),
        read: oneOf(STRATEGIES),
        help: `backoff strategy: ${STRATEGIES.join(', ')}`,
        flag: { kind: 'text', topic: 'outcome', value: 'NAME', choices: STRATEGIES },
      },
    },
    unset: null,
    edit: 'replace or unset',
    json: { shape: orNull(wordsOf(STRATEGIES)) },
    stored: { columns: { backoff_strategy: text(({ backoffStrategy }) => backoffStrategy) }, isCommon: true },
  },
  timeoutSeconds: {
    input: {
      timeout_seconds: { ...real(0.001, MAX_SECONDS), help: 'seconds after which an attempt is stopped' },
      timeout_ms: {
        ...changed(real(1, MAX_SECONDS * 1000), (ms) => ms / 1000),
        help: 'milliseconds after which an attempt is stopped',
        isAlias: true,
      },
      timeout: {
        ...duration(0.001),
        help: 'stop an attempt that takes longer, for example 90s or 5m',
        isAlias: true,
        flag: { kind: 'seconds', value: 'DURATION' },
      },
    },
    edit: 'replace or unset',
    json: { shape: orNull(NUMBER), help: 'Seconds that an attempt may take' },
    stored: {
      columns: { timeout_seconds: double(({ timeoutSeconds }) => timeoutSeconds) },
      read: ({ timeout_seconds: seconds }) => (typeof seconds === 'number' ? seconds : null),
      isCommon: true,
    },
  },
  runAt: {
    input: {
      delay: {
        ...changed(duration(0), inFuture),
        help: 'delay the start of the job by at least this long',
        isAlias: true,
        flag: { kind: 'seconds', value: 'DURATION' },
      },
      run_at: {
        ...RUN_AT,
        flag: {
          kind: 'text',
          value: 'TIME',
          help: "start the job no earlier than this: 'tomorrow 9:00', +5m, ISO 8601",
        },
      },
      available_at: { ...RUN_AT, isAlias: true },
      next_run_at: { ...RUN_AT, isAlias: true },
      delay_seconds: {
        ...changed(real(0, MAX_SECONDS), inFuture),
        help: 'seconds to wait before the job starts',
      },
    },
    unset: null,
    edit: 'replace or unset',
    json: { shape: orNull(TIME) },
    stored: { columns: { run_at: bigint(({ runAt }) => runAt) }, isCommon: true },
  },
  nextRunAt: { json: { shape: orNull(TIME), help: 'When the job may next start' }, stored: OWN },
} satisfies Partial<FieldTable>;
