// Enqueues the same unique job concurrently. These jobs are never retried, because manual retries bypass uniqueness.

import type { NewJobInput } from '../../src/queue/queue.ts';
import { type Action, someCommand } from './action.ts';

export const UNIQUE = {
  prefix: 'unique-',
  /** ID prefix of jobs that replace others. */
  replacing: 'unique-replacing-',
  waiting: 'one-waiting',
  unfinished: 'one-unfinished',
} as const;

export const enqueueUnique: Action = async (arena, queue, chance) => {
  const isWaiting = chance.happens(0.5);
  const ifExists = chance.pick(['skip', 'replace', 'error'] as const) ?? 'skip';
  const id = `${ifExists === 'replace' ? UNIQUE.replacing : UNIQUE.prefix}${arena.nextNumber()}`;
  const job: NewJobInput = {
    id,
    command: someCommand(arena, chance),
    max_retries: 0,
    unique_key: isWaiting ? UNIQUE.waiting : UNIQUE.unfinished,
    unique_for: isWaiting ? 'waiting' : 'unfinished',
    if_exists: ifExists,
    ...(chance.happens(0.3) ? { delay_seconds: chance.between(0, 1) } : {}),
  };
  await queue.enqueue([job]);
};
