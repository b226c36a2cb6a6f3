// Whether lists of jobs, queues, schedules or settings may look different now. The mark of the store also changes with every
// sign of life of a worker, and pages that loaded their lists again each time would keep an idle server busy.

import type { Status } from '../../report/status.ts';

export interface Look {
  readonly mark: string;
  readonly status: Status;
  /** When each worker last gave a sign of life. */
  readonly heartbeats: readonly number[];
  /** Somebody has changed what workers should look at. */
  readonly wasWoken: boolean;
}

/** A change that only the mark shows is believed after so long: a job's progress beside a sign of life, say. */
const BELIEVED_AFTER_MS = 30_000;
/** While jobs run without a pause, lists are loaded again this often and no more. */
const APART_MS = 1000;

export class ListRevision {
  private readonly prefix: string;
  /** On a server that others use too, the mark changes with what they do. */
  private readonly isMarkOurs: boolean;
  private readonly apartMs: number;
  private revision = 0;
  private isPending = false;
  private changedAt = Number.NEGATIVE_INFINITY;
  private believedAt = performance.now();
  private mark = '';
  private digest = '';
  private heartbeats = '';

  /** `prefix` tells this server from one that was started before. */
  constructor(prefix: string, isMarkOurs: boolean, apartMs = APART_MS) {
    this.prefix = prefix;
    this.isMarkOurs = isMarkOurs;
    this.apartMs = apartMs;
  }

  /** What is to be announced by now. */
  token(): string {
    if (this.isPending && performance.now() - this.changedAt >= this.apartMs) this.grow();
    return `${this.prefix}-${this.revision}`;
  }

  see({ mark, status, heartbeats, wasWoken }: Look): void {
    if (mark === this.mark) return;
    const [digest, beats] = [statusDigest(status), heartbeats.join()];
    const isSomebodyElse = this.isMarkOurs && beats === this.heartbeats;
    const isOverdue = performance.now() - this.believedAt > BELIEVED_AFTER_MS;
    if (digest !== this.digest || wasWoken || isSomebodyElse || isOverdue) this.isPending = true;
    [this.mark, this.digest, this.heartbeats] = [mark, digest, beats];
  }

  private grow(): void {
    this.revision++;
    this.isPending = false;
    this.changedAt = this.believedAt = performance.now();
  }
}

/** The passing of time is no change. */
export const statusDigest = (status: Status): string => JSON.stringify({ ...status, now: 0 });
