// Check for jobs that could run but are not claimed.

import type { Queue } from '../../../queue/queue.ts';
import { unclaimedJobs } from '../../waiting/unclaimed.ts';
import { type Check, ok, warn } from './verdict.ts';

const NAMED_AT_MOST = 3;

export async function checkClaims(queue: Queue, lookAgainMs?: number): Promise<Check> {
  const ids = await unclaimedJobs(queue, lookAgainMs);
  if (ids.length === 0) return ok('claims', 'no job that could run is left waiting');
  const more = ids.length > NAMED_AT_MOST ? ` and ${ids.length - NAMED_AT_MOST} or more others` : '';
  return warn(
    'claims',
    `could run, but no worker claims them: ${ids.slice(0, NAMED_AT_MOST).join(', ')}${more}`,
    `queuectl why ${ids[0]}; queuectl worker list; if it stays so, please report it`,
  );
}
