// Snapshots of the queue for event streams: one for each requested topic, shared by all clients and made only when the
// store has changed. Snapshots rather than a log, because a client that missed some only needs the latest.

import { jobToJson } from '../../job/wire.ts';
import type { Queue } from '../../queue/queue.ts';
import { type Status, statusOf, statusToJson } from '../../report/status.ts';
import { type BulkRuns, bulkToJson } from '../bulk-runs.ts';
import { ListRevision, statusDigest } from './list-revision.ts';
import { digestOf } from './resume.ts';
import { eventText } from './sse.ts';

export interface Snapshot {
  /** Identifies the snapshot among those of its topic. */
  readonly token: string;
  readonly event: string;
}

export const STATS = 'stats';
export const LISTS = 'jobs';
const [MASKED, WITH_ENV, BULK] = ['job:', 'env:', 'bulk:'];

/** Environment variables may contain secrets, so a job has one snapshot with them and one without. */
export const jobKey = (id: string, show: { env: boolean }): string => `${show.env ? WITH_ENV : MASKED}${id}`;

export const bulkKey = (id: string): string => `${BULK}${id}`;

/** Maximum age of snapshots: workers get lost, and disks fill, without a change in the store. */
const LOOK_ANYHOW_MS = 5000;

export type BulkProgress = Pick<BulkRuns, 'all'>;

export class Board {
  private readonly queue: Queue;
  private readonly bulk: BulkProgress;
  private readonly lists: ListRevision;
  private snapshots = new Map<string, Snapshot>();
  private mark = '';
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(queue: Queue, bulk: BulkProgress, startId: string) {
    this.queue = queue;
    this.bulk = bulk;
    this.lists = new ListRevision(startId, !queue.spansHosts);
  }

  get(key: string): Snapshot | undefined {
    return this.snapshots.get(key);
  }

  /** Call when refreshing stops, because snapshots become stale. */
  clear(): void {
    this.snapshots = new Map();
    this.mark = '';
  }

  /** Updates the wanted snapshots that may have changed. Returns true if the store has changed. */
  async refresh(wanted: ReadonlySet<string>, wasWoken: boolean): Promise<boolean> {
    const mark = await this.queue.changeMark();
    const hasChanged = mark !== this.mark;
    const isMissing = [...wanted].some((key) => !this.snapshots.has(key));
    const isTime = performance.now() - this.lookedAt > LOOK_ANYHOW_MS;
    if (hasChanged || isMissing || isTime) await this.look(wanted, mark, wasWoken);
    this.mark = mark; // set only now, so that a failed update is repeated
    this.lookAtBulk(wanted);
    if (wanted.has(LISTS)) this.snapshots.set(LISTS, this.listsNow()); // also without a change: the announcement of an earlier one may be due
    return hasChanged;
  }

  private async look(wanted: ReadonlySet<string>, mark: string, wasWoken: boolean): Promise<void> {
    const next = new Map<string, Snapshot>();
    if (wanted.has(STATS) || wanted.has(LISTS)) {
      const status = await statusOf(this.queue);
      next.set(STATS, this.statsOf(status));
      await this.seeLists(status, mark, wasWoken);
    }
    for (const [key, snapshot] of await this.jobsOf(wanted)) next.set(key, snapshot);
    this.snapshots = next;
    this.lookedAt = performance.now();
  }

  /** Costs nothing, because bulk operations run in this process. */
  private lookAtBulk(wanted: ReadonlySet<string>): void {
    for (const key of [...wanted].filter((one) => one.startsWith(BULK))) {
      const id = key.slice(BULK.length);
      const run = this.bulk.all().find((one) => one.id === id);
      const event = run ? eventText('bulk', bulkToJson(run)) : eventText('gone', { id });
      this.snapshots.set(key, { token: digestOf(event), event });
    }
  }

  private statsOf(status: Status): Snapshot {
    const token = digestOf(statusDigest(status));
    const known = this.snapshots.get(STATS);
    return known?.token === token ? known : { token, event: eventText('stats', statusToJson(status)) };
  }

  private async seeLists(status: Status, mark: string, wasWoken: boolean): Promise<void> {
    const heartbeats = (await this.queue.workers()).map(({ lastHeartbeat }) => lastHeartbeat);
    this.lists.see({ mark, status, heartbeats, wasWoken });
  }

  private listsNow(): Snapshot {
    const token = this.lists.token();
    return { token, event: eventText('changed', { revision: token }) };
  }

  private async jobsOf(wanted: ReadonlySet<string>): Promise<[string, Snapshot][]> {
    const keys = [...wanted].filter((key) => key.startsWith(MASKED) || key.startsWith(WITH_ENV));
    if (keys.length === 0) return [];
    const idOf = (key: string): string => key.slice(MASKED.length);
    const jobs = await this.queue.getAll([...new Set(keys.map(idOf))]);
    const found = new Map(jobs.map((job) => [job.id, job]));
    return keys.map((key) => {
      const job = found.get(idOf(key));
      const show = { env: key.startsWith(WITH_ENV) };
      const event = job ? eventText('job', jobToJson(job, show)) : eventText('gone', { id: idOf(key) });
      return [key, { token: digestOf(event), event }];
    });
  }
}
