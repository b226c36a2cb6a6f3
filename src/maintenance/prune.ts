// Deletes finished jobs after their retention time, with their logs, in small batches.

import type { JobState } from '../job/job.ts';
import { aMoment, type Progress } from '../queue/job-control.ts';
import { removeLogs } from '../process/output/log-file.ts';
import type { SettingKey, Settings } from '../settings/settings.ts';
import type { PruneQuery, Store } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

const BATCH = 500;

const RETENTION: readonly { setting: SettingKey; states: readonly JobState[] }[] = [
  { setting: 'retention_completed', states: ['completed', 'cancelled'] },
  { setting: 'retention_dead', states: ['dead'] },
];

export const pruneByRetention = (store: Store, settings: () => Settings): Chore => ({
  name: 'prune',
  everyMs: 10_000,
  runOnce: async () => {
    let removed = 0;
    for (const { setting, states } of RETENTION) {
      const seconds = settings().limit(setting);
      if (seconds === null) continue;
      const finishedBefore = store.now() - seconds * 1000;
      removed += await pruneBatch(store, { states, finishedBefore, isByRetention: true });
    }
    return removed;
  },
});

/** Deletes all matching jobs in batches, so that workers get their turns in between. */
export async function pruneAll(
  store: Store,
  query: PruneQuery,
  { onProgress = () => {}, isStopped = () => false }: Progress,
): Promise<number> {
  let total = 0;
  while (!isStopped()) {
    const removed = await pruneBatch(store, query);
    if (removed === 0) break;
    total += removed;
    onProgress(total, total);
    await aMoment(); // a synchronous store would delay signals
  }
  return total;
}

async function pruneBatch(store: Store, query: PruneQuery): Promise<number> {
  const { jobs, logPaths } = await store.prune(query, BATCH);
  removeLogs(logPaths);
  return jobs;
}
