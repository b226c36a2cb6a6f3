// Builds OTLP spans in JSON: one for an attempt, and one for the enqueueing of its job. All texts are bounded. Pure.

import type { Command, JobState, Outcome } from '../job/job.ts';
import { commandName } from './command-name.ts';
import { attemptSpanId, enqueueSpanId, type TracedJob, traceOf } from './ids.ts';

/** Data of an attempt span. */
export interface EndedAttempt {
  readonly job: TracedJob & {
    readonly queue: string;
    readonly group: string | null;
    readonly command: Command;
  };
  readonly run: number;
  readonly number: number;
  readonly worker: string;
  readonly host: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly error: string | null;
  readonly state: JobState;
  /** Null if no longer known. */
  readonly waitedMs: number | null;
}

type Value = string | number | null;
type Attributes = Readonly<Record<string, Value>>;

export interface Link {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: readonly unknown[];
}

const LONGEST_TEXT = 1024;
const PRODUCER = 4;
const CONSUMER = 5;
const ERROR = 2;

const FAILURES: ReadonlySet<Outcome | null> = new Set<Outcome>([
  'failed',
  'signalled',
  'timeout',
  'not_started',
  'malformed',
  'worker_lost',
]);

/** The first attempt also emits the enqueue span, because enqueueing itself emits none. */
export const spansOf = (ended: EndedAttempt, links: readonly Link[]): unknown[] =>
  ended.run === 1 ? [enqueueSpan(ended), attemptSpan(ended, links)] : [attemptSpan(ended, links)];

function enqueueSpan({ job }: EndedAttempt): unknown {
  const { traceId, parent } = traceOf(job);
  return {
    traceId,
    spanId: enqueueSpanId(job),
    ...(parent && { parentSpanId: parent.spanId }),
    name: `enqueue ${job.queue}`,
    kind: PRODUCER,
    ...times(job.createdAt, job.createdAt),
    attributes: attributesOf({ ...ofJob(job), ...operation('enqueue', 'send') }),
  };
}

function attemptSpan(ended: EndedAttempt, links: readonly Link[]): unknown {
  const { job, run } = ended;
  const hasFailed = FAILURES.has(ended.outcome);
  return {
    traceId: traceOf(job).traceId,
    spanId: attemptSpanId(job, run),
    parentSpanId: enqueueSpanId(job),
    name: `run ${job.queue}`,
    kind: CONSUMER,
    ...times(ended.startedAt, ended.endedAt),
    attributes: attributesOf({ ...ofJob(job), ...operation('run', 'process'), ...ofAttempt(ended) }),
    ...(links.length > 0 && { links }),
    ...(hasFailed && {
      status: { code: ERROR, ...(ended.error !== null && { message: cut(ended.error) }) },
    }),
  };
}

const ofJob = (job: EndedAttempt['job']): Attributes => ({
  'messaging.system': 'queuectl',
  'messaging.destination.name': job.queue,
  'messaging.message.id': job.id,
  'queuectl.group': job.group,
  'process.executable.name': commandName(job.command),
});

const operation = (name: string, type: string): Attributes => ({
  'messaging.operation.name': name,
  'messaging.operation.type': type,
});

const ofAttempt = (ended: EndedAttempt): Attributes => ({
  'queuectl.attempt': ended.number,
  'queuectl.run': ended.run,
  'queuectl.outcome': ended.outcome,
  'queuectl.state': ended.state,
  'queuectl.signal': ended.signal,
  'queuectl.waited_ms': ended.waitedMs,
  'queuectl.worker': ended.worker,
  'host.name': ended.host,
  'process.exit.code': ended.exitCode,
  'error.type': FAILURES.has(ended.outcome) ? ended.outcome : null,
});

/** Nanoseconds exceed the range of a number. A span never ends before it begins, whatever the clocks say. */
const times = (start: number, end: number) => ({
  startTimeUnixNano: `${Math.round(start)}000000`,
  endTimeUnixNano: `${Math.round(Math.max(start, end))}000000`,
});

/** Omits unknown values. */
export const attributesOf = (attributes: Attributes): { key: string; value: unknown }[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [{ key: cut(key), value: otlpValue(value) }],
  );

const otlpValue = (value: string | number): unknown =>
  typeof value === 'string' ? { stringValue: cut(value) } : { intValue: String(Math.round(value)) };

const cut = (text: string): string => text.slice(0, LONGEST_TEXT).toWellFormed();

export const requestOf = (resource: Attributes, spans: readonly unknown[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'queuectl' }, spans }],
      },
    ],
  });
