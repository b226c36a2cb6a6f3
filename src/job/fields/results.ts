// Times, outcome of the last attempt, resource usage, progress and result. Only queuectl sets these.

import type { Job } from '../job.ts';
import { jsonIn } from '../stored-json.ts';
import { usageFrom } from '../usage.ts';
import { type FieldTable, OWN, type Row } from './field.ts';
import { ANY, INTEGER, NUMBER, orNull, TEXT, TIME } from './shape.ts';

function resultToJson({ result }: Job): unknown {
  const value = jsonIn(result);
  return value === undefined ? result : value;
}

const numberIn = (row: Row, column: string): number | null => (row[column] ?? null) as number | null;

export const RESULTS = {
  createdAt: { json: { shape: TIME }, stored: OWN },
  updatedAt: { json: { shape: TIME }, stored: OWN },
  startedAt: { json: { shape: orNull(TIME) }, stored: OWN },
  finishedAt: { json: { shape: orNull(TIME) }, stored: OWN },
  durationMs: { json: { shape: orNull(NUMBER) }, stored: OWN },
  exitCode: { json: { shape: orNull(INTEGER) }, stored: OWN },
  signal: { json: { shape: orNull(TEXT) }, stored: OWN },
  lastError: { json: { shape: orNull(TEXT) }, stored: OWN },
  fingerprint: {
    json: {
      shape: orNull(TEXT),
      help: 'Error fingerprint of the last failure, for the filter error:err-...',
    },
    stored: OWN,
  },
  lockedBy: { json: { shape: orNull(TEXT), help: 'The worker that runs the job' }, stored: OWN },
  lockedAt: { json: { shape: orNull(TIME) }, stored: OWN },
  cancelRequestedAt: { stored: OWN },
  logPath: {
    json: { shape: orNull(TEXT) },
    stored: { ...OWN, read: (row) => (row.log_path as string | null | undefined) || null },
  },
  usage: {
    stored: {
      ...OWN,
      read: (row) =>
        usageFrom(numberIn(row, 'peak_memory_bytes'), numberIn(row, 'cpu_user_ms'), numberIn(row, 'cpu_system_ms')),
    },
  },
  peakMemoryBytes: {
    json: {
      shape: orNull(INTEGER),
      help: 'Most memory that the last attempt held',
      of: ({ usage }) => usage?.peakMemoryBytes ?? null,
    },
  },
  cpuUserMs: {
    json: {
      shape: orNull(INTEGER),
      help: 'CPU time of the last attempt',
      of: ({ usage }) => usage?.cpuUserMs ?? null,
    },
  },
  cpuSystemMs: {
    json: {
      shape: orNull(INTEGER),
      help: 'CPU time that the kernel spent for the last attempt',
      of: ({ usage }) => usage?.cpuSystemMs ?? null,
    },
  },
  progress: { json: { shape: orNull(NUMBER), help: 'Percent' }, stored: OWN },
  progressNote: { json: { shape: orNull(TEXT) }, stored: OWN },
  result: {
    json: {
      shape: ANY,
      help: 'Result of the job (JSON)',
      of: resultToJson,
      from: (json: unknown) => (json === null ? null : JSON.stringify(json)),
    },
    stored: OWN,
  },
} satisfies Partial<FieldTable>;
