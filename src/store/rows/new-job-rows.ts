// What a new job brings along, as the columns of a row: the same in every store.

import type { NewJob } from '../../job/job.ts';

/** In the order of `newJobValues`. */
export const NEW_JOB_COLUMNS = [
  'id', 'queue', 'priority', 'command', 'is_argv', 'max_retries', 'backoff_base', 'backoff_strategy',
  'timeout_seconds', 'run_at', 'cwd', 'env', 'split_output',
] as const; // biome-ignore format: a list of words

type Value = string | number | null;

export function newJobValues(job: NewJob): Value[] {
  const isArgv = typeof job.command !== 'string';
  return [
    job.id,
    job.queue,
    job.priority,
    isArgv ? JSON.stringify(job.command) : (job.command as string),
    isArgv ? 1 : 0,
    job.maxRetries,
    job.backoffBase,
    job.backoffStrategy,
    job.timeoutSeconds,
    job.runAt,
    job.cwd,
    hasEntries(job.env) ? JSON.stringify(job.env) : null,
    job.splitOutput ? 1 : 0,
  ];
}

function hasEntries(record: object): boolean {
  for (const _ in record) return true;
  return false;
}
