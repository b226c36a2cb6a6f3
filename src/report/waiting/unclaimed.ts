// Watchdog: finds jobs that no worker claims although the code that claims jobs sees no obstacle.

import { setTimeout as sleep } from 'node:timers/promises';
import { isClaimable } from '../../job/state-sets.ts';
import type { Queue } from '../../queue/queue.ts';
import { waitsFor } from './waiting.ts';

/** Turns are never this late, because workers poll every few seconds even without a wake-up. */
const LATE_MS = 10_000;
/** Time until the second check, when a job that was about to be claimed is running. */
const LOOK_AGAIN_MS = 3000;
const NAMED_AT_MOST = 20;

/** Returns the IDs of the first such jobs. */
export async function unclaimedJobs(queue: Queue, lookAgainMs = LOOK_AGAIN_MS): Promise<string[]> {
  const first = await freeToRun(queue);
  if (first.length === 0) return [];
  await sleep(lookAgainMs);
  const again = new Set(await freeToRun(queue));
  return first.filter((id) => again.has(id));
}

async function freeToRun(queue: Queue): Promise<string[]> {
  const found: string[] = [];
  for (const id of await queue.waits.heads(queue.now() - LATE_MS)) {
    if (found.length === NAMED_AT_MOST) break;
    const job = await queue.get(id);
    if (!job || !isClaimable(job.state) || (job.nextRunAt ?? 0) > queue.now() - LATE_MS) continue;
    const waits = await waitsFor(queue, job);
    if (waits.every(({ reason }) => reason === 'next_poll')) found.push(id);
  }
  return found;
}
