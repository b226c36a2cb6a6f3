// Decides when lists of jobs, queues, schedules or settings may have changed. The store's change mark also changes with
// every heartbeat, and clients that reloaded their lists each time would keep an idle server busy.

import type { Status } from '../../report/status.ts';

export interface Look {
  readonly mark: string;
  readonly status: Status;
  /** Time of each worker's last heartbeat. */
  readonly heartbeats: readonly number[];
  /** Whether workers were woken since the last call. */
  readonly wasWoken: boolean;
}

/** Maximum delay for a change that cannot be told from a heartbeat, such as a job's progress. */
const OVERDUE_MS = 30_000;
/** Minimum interval between two revisions. */
const APART_MS = 1000;

export class ListRevision {
  private readonly prefix: string;
  /** False on a database server, where other databases change the mark too. */
  private readonly isMarkOurs: boolean;
  private readonly apartMs: number;
  private revision = 0;
  private isPending = false;
  private changedAt = Number.NEGATIVE_INFINITY;
  private grownAt = performance.now();
  private mark = '';
  private digest = '';
  private heartbeats = '';

  /** `prefix` distinguishes this server from earlier ones. */
  constructor(prefix: string, isMarkOurs: boolean, apartMs = APART_MS) {
    this.prefix = prefix;
    this.isMarkOurs = isMarkOurs;
    this.apartMs = apartMs;
  }

  /** Returns the current revision. */
  token(): string {
    if (this.isPending && performance.now() - this.changedAt >= this.apartMs) this.grow();
    return `${this.prefix}-${this.revision}`;
  }

  see({ mark, status, heartbeats, wasWoken }: Look): void {
    if (mark === this.mark) return;
    const [digest, beats] = [statusDigest(status), heartbeats.join()];
    const isOtherChange = this.isMarkOurs && beats === this.heartbeats;
    const isOverdue = performance.now() - this.grownAt > OVERDUE_MS;
    if (digest !== this.digest || wasWoken || isOtherChange || isOverdue) this.isPending = true;
    [this.mark, this.digest, this.heartbeats] = [mark, digest, beats];
  }

  private grow(): void {
    this.revision++;
    this.isPending = false;
    this.changedAt = this.grownAt = performance.now();
  }
}

/** Ignores the time of the status. */
export const statusDigest = (status: Status): string => JSON.stringify({ ...status, now: 0 });
