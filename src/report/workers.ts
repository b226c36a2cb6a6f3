// Workers as numbers and as JSON: counts, notices, and queues without workers.

import { countClaimable } from '../job/state-sets.ts';
import { isoTime, type Json } from '../job/wire.ts';
import type { WorkerView } from '../queue/queue.ts';
import type { QueueCounts } from '../store/store.ts';
import { isSameBuild } from '../system/build.ts';

export interface WorkerCounts {
  readonly active: number;
  readonly busy: number;
  readonly lost: number;
}

export interface HostCounts extends WorkerCounts {
  readonly host: string;
}

export function workerToJson(worker: WorkerView): Json {
  return {
    id: worker.id,
    pid: worker.pid,
    host: worker.host,
    state: worker.state,
    started_at: isoTime(worker.startedAt),
    last_heartbeat: isoTime(worker.lastHeartbeat),
    queues: worker.queues,
    concurrency: worker.concurrency,
    version: worker.version,
    current_jobs: worker.running,
    memory_budget_bytes: worker.memoryBudget ?? null,
    notice: worker.notice,
  };
}

export function countWorkers(workers: readonly WorkerView[]): WorkerCounts {
  const active = workers.filter(({ state }) => state !== 'lost');
  const busy = active.filter(({ running }) => running.length > 0);
  return { active: active.length, busy: busy.length, lost: workers.length - active.length };
}

/** Returns the hosts with workers, sorted by name. */
export function countByHost(workers: readonly WorkerView[]): HostCounts[] {
  const hosts = Map.groupBy(workers, ({ host }) => host);
  return [...hosts].map(([host, own]) => ({ host, ...countWorkers(own) })).sort(byName);
}

const byName = (a: HostCounts, b: HostCounts): number => (a.host < b.host ? -1 : 1);

/** A worker for a single job, as in `queuectl run`, serves no queue. */
export const serves = ({ queues, onlyJob }: WorkerView, queue: string): boolean =>
  onlyJob === null && (queues?.includes(queue) ?? true);

const takesJobs = ({ state }: WorkerView): boolean => state !== 'lost' && state !== 'stopping';

export function unservedOf(queues: readonly QueueCounts[], workers: readonly WorkerView[]): string[] {
  const takers = workers.filter(takesJobs);
  return queues
    .filter(({ counts }) => countClaimable(counts) > 0)
    .map(({ queue }) => queue)
    .filter((queue) => !takers.some((worker) => serves(worker, queue)));
}

/** Returns the workers that run another program than this one. */
export const otherVersions = (workers: readonly WorkerView[], own: string): WorkerView[] =>
  workers.filter(({ version, state }) => state !== 'lost' && (version === null || !isSameBuild(version, own)));

export const versionText = ({ version }: Pick<WorkerView, 'version'>): string => version ?? 'an older version';

/** Says how to replace workers of another version. They finish their jobs first. */
export const replaceHint = (workers: readonly WorkerView[]): string =>
  `replace them: queuectl worker start, then queuectl worker stop ${workers.map(({ id }) => id).join(' ')}`;

/** Returns the distinct notices of workers that are not lost. */
export const noticesOf = (workers: readonly WorkerView[]): string[] => [
  ...new Set(workers.flatMap(({ notice, state }) => (notice === null || state === 'lost' ? [] : [notice]))),
];
