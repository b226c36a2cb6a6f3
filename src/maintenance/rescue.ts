// Finds lost workers and requeues their jobs in three steps: fence, stop, settle. A worker is first condemned in the
// store, so that one that is alive after all cannot write about jobs that are stopped here. The death of a visible
// worker is seen at once. Otherwise only missing heartbeats count: for a whole lease of that worker, in checks that
// were never far apart, while this process could renew its own lease in time.

import { copyJournal, recordLost } from '../output/lost.ts';
import { canSee, fateOf, type Vantage } from '../process/tree/identity.ts';
import { endAbandoned, leaseMark } from '../process/tree/tree.ts';
import type { Settings } from '../settings/settings.ts';
import type { Rescued, Running, Store, WorkerRecord } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

/** Shorter than a running job's grace period, because the queue waits for it. */
const ORPHAN_GRACE_MS = 1000;
/** Minimum interval between checks, and the increase per worker: all workers together check often enough. */
const LOOK_MS = 1000;
const LOOK_MS_A_WORKER = 50;
const LOOKS_A_LEASE = 8;
/** A visible process that cannot write to a shared file is late, not lost, for this many leases. */
const LEASES_BEFORE_LIVE_IS_LOST = 10;

interface Sighting {
  readonly heartbeat: number;
  readonly silentMs: number;
  /** End of the observed silence. */
  readonly seenAt: number;
}

export interface Rescuer extends Vantage {
  /** '' for a process that is not a worker. */
  readonly id: string;
  readonly host: string;
}

export class Rescue implements Chore {
  readonly name = 'rescue';
  readonly isUrgent = true;
  private readonly store: Store;
  private readonly own: Rescuer;
  private readonly settings: () => Settings;
  private readonly log: (line: string) => void;
  private readonly rescued: (job: Rescued) => void;
  private sightings = new Map<string, Sighting>();
  private seesAllOthers = true;

  constructor(
    store: Store,
    own: Rescuer,
    settings: () => Settings,
    log: (line: string) => void,
    rescued: (job: Rescued) => void = () => {},
  ) {
    this.store = store;
    this.rescued = rescued;
    this.own = own;
    this.settings = settings;
    this.log = log;
  }

  get everyMs(): number {
    const rare = Math.max(LOOK_MS, LOOK_MS_A_WORKER * this.sightings.size);
    return Math.min(rare, this.settings().ms('lease_duration') / LOOKS_A_LEASE);
  }

  /** True if some worker of this queue can neither see this process nor stop its jobs. */
  get hasUnseenOthers(): boolean {
    return !this.seesAllOthers;
  }

  /** While this worker cannot send heartbeats, others may be unable too, so earlier observations prove nothing. */
  forgetSightings(): void {
    this.sightings.clear();
  }

  /** Returns the other workers without taking action. */
  async look(): Promise<readonly WorkerRecord[]> {
    const others = (await this.lookAtAll()).filter(({ id }) => id !== this.own.id);
    this.seesAllOthers = others.every((worker) => canSee(this.own, worker));
    return others;
  }

  async runOnce(): Promise<number> {
    const askedAt = performance.now();
    const others = await this.look();
    this.sightings = new Map(others.map((worker) => [worker.id, this.sightingOf(worker, askedAt)]));
    const lost = others.filter((worker) => this.isLost(worker));
    return sumOf(await Promise.allSettled(lost.map((worker) => this.takeOver(worker))));
  }

  /**
   * Requeues the jobs held by this worker itself, which is leaving or was given up. None of them is running any more.
   */
  requeueOwn(): Promise<number> {
    return this.requeueJobs({ ...this.own, lastHeartbeat: undefined });
  }

  private async lookAtAll(): Promise<WorkerRecord[]> {
    try {
      return await this.store.workers();
    } catch (error) {
      this.forgetSightings();
      throw error;
    }
  }

  /**
   * However long the gap, two checks prove at most the silence of two checks in time, or with one missed in between.
   * The lease of the observed worker counts, as ours may be much longer. A new heartbeat may be as recent as the
   * response; a known one proves silence only until the request.
   */
  private sightingOf({ id, lastHeartbeat, leaseMs }: WorkerRecord, askedAt: number): Sighting {
    const last = this.sightings.get(id);
    if (last?.heartbeat !== lastHeartbeat) return { heartbeat: lastHeartbeat, silentMs: 0, seenAt: performance.now() };
    const step = Math.min(askedAt - last.seenAt, (2 * leaseMs) / LOOKS_A_LEASE);
    return { ...last, silentMs: last.silentMs + step, seenAt: askedAt };
  }

  private isLost(worker: WorkerRecord): boolean {
    const fate = fateOf(worker, this.own);
    if (fate === 'dead') return true;
    // Another worker has started a rescue without finishing it. Visible jobs can be stopped at once; for others, time
    // has to pass.
    if (worker.condemnedAt !== null && fate !== 'unknown') return true;
    const isLate = fate === 'alive' && !this.store.spansHosts;
    const { silentMs = 0 } = this.sightings.get(worker.id) ?? {};
    return silentMs > worker.leaseMs * (isLate ? LEASES_BEFORE_LIVE_IS_LOST : 1);
  }

  private async takeOver(worker: WorkerRecord): Promise<number> {
    this.sightings.delete(worker.id);
    return this.requeueJobs(worker);
  }

  private async requeueJobs(
    worker: Vantage & Pick<WorkerRecord, 'id' | 'host'> & { readonly lastHeartbeat: number | undefined },
  ): Promise<number> {
    const held = await this.store.condemn(worker.id, worker.lastHeartbeat);
    if (held === null) return 0;
    if (canSee(this.own, worker)) await this.end(worker.id, held);
    const isOnThisHost = worker.host === this.own.host;
    if (isOnThisHost) await this.keepOutputs(held);
    const rescued = await this.store.rescue(worker.id, this.settings().backoff);
    for (const job of rescued ?? []) {
      if (isOnThisHost) await recordLost(this.store, job, this.settings().number('log_max_bytes'));
      this.rescued(job);
      this.log(`rescued   ${job.jobId}  from lost worker ${worker.id}, now ${job.state}`);
    }
    return rescued?.length ?? 0;
  }

  private async end(workerId: string, held: readonly Running[]): Promise<void> {
    const trees = held.map((attempt) => ({
      leader: attempt.pid === null ? null : { pid: attempt.pid, startedAt: attempt.pidStartedAt },
      lease: leaseMark(workerId, attempt),
    }));
    await endAbandoned(trees, ORPHAN_GRACE_MS);
  }

  /** Saves output on this host that the lost worker had not copied. */
  private async keepOutputs(held: readonly Running[]): Promise<void> {
    const { outputs, spansHosts } = this.store;
    if (!spansHosts) return;
    for (const attempt of held) if (attempt.logPath) await copyJournal(outputs, attempt, attempt.logPath);
  }
}

/** Waits for all results, then throws the first error. */
function sumOf(counts: readonly PromiseSettledResult<number>[]): number {
  return counts.reduce((sum, count) => {
    if (count.status === 'rejected') throw count.reason;
    return sum + count.value;
  }, 0);
}
