// Finding workers that died and giving their jobs back: fence first, end second, settle third. A worker is condemned in
// the store before anything of it is touched, so that one that lives after all writes nothing about jobs that are ended
// here. Where a worker can be seen, its death is seen at once. Elsewhere only silence counts: no heartbeat for a whole
// lease of its own, in looks that were never far apart, while we ourselves could renew in time.

import { copyJournal, recordLost } from '../output/lost.ts';
import { canSee, fateOf, type Vantage } from '../process/tree/identity.ts';
import { endAbandoned, leaseMark } from '../process/tree/tree.ts';
import type { Settings } from '../settings/settings.ts';
import type { Rescued, Running, Store, WorkerRecord } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

/** Orphans get less grace than a job with a worker: the queue waits for them. */
const ORPHAN_GRACE_MS = 1000;
/** How often, at the most, and how much less often for each worker there is: together they look often enough. */
const LOOK_MS = 1000;
const LOOK_MS_A_WORKER = 50;
const LOOKS_A_LEASE = 8;
/** A process that is seen to run and cannot write to a file that all share is late, not lost, for this many leases. */
const PATIENCE_WITH_THE_LIVING = 10;

interface Sighting {
  readonly heartbeat: number;
  readonly silentMs: number;
  /** Until when that silence was seen. */
  readonly seenAt: number;
}

export interface Rescuer extends Vantage {
  /** '' for one that is no worker itself. */
  readonly id: string;
  readonly host: string;
}

export class Rescue implements Chore {
  readonly name = 'rescue';
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

  /** Whether some worker of this queue can neither see us nor end what we leave behind. */
  get hasUnseenOthers(): boolean {
    return !this.seesAllOthers;
  }

  /** While we cannot give a sign of life, others may not be able to either: what was seen before proves nothing. */
  forgetSightings(): void {
    this.sightings.clear();
  }

  /** Who else is there, without doing anything about it. */
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

  /** Gives back what this worker itself holds: it leaves, or was given up. Nothing of it runs any more. */
  giveBackOwn(): Promise<number> {
    return this.takeBack({ ...this.own, lastHeartbeat: undefined });
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
   * However long we did not look, two looks prove no more silence than two that were made in time, or with one missed in
   * between. By the lease of the worker that is looked at: ours may be much longer. A sign of life that is new to us may
   * be as young as the answer; one that we knew proves silence only until we asked.
   */
  private sightingOf({ id, lastHeartbeat, leaseMs }: WorkerRecord, askedAt: number): Sighting {
    const last = this.sightings.get(id);
    if (last?.heartbeat !== lastHeartbeat)
      return { heartbeat: lastHeartbeat, silentMs: 0, seenAt: performance.now() };
    const step = Math.min(askedAt - last.seenAt, (2 * leaseMs) / LOOKS_A_LEASE);
    return { ...last, silentMs: last.silentMs + step, seenAt: askedAt };
  }

  private isLost(worker: WorkerRecord): boolean {
    const fate = fateOf(worker, this.own);
    if (fate === 'dead') return true;
    // Another worker has begun and not finished. Jobs that can be seen can be ended; for others, time has to pass.
    if (worker.condemnedAt !== null && fate !== 'unknown') return true;
    const isLate = fate === 'alive' && !this.store.spansHosts;
    const { silentMs = 0 } = this.sightings.get(worker.id) ?? {};
    return silentMs > worker.leaseMs * (isLate ? PATIENCE_WITH_THE_LIVING : 1);
  }

  private async takeOver(worker: WorkerRecord): Promise<number> {
    this.sightings.delete(worker.id);
    return this.takeBack(worker);
  }

  private async takeBack(
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

  /** Output that their worker did not get to copy, where it is on this host. */
  private async keepOutputs(held: readonly Running[]): Promise<void> {
    const { outputs, spansHosts } = this.store;
    if (!spansHosts) return;
    for (const attempt of held) if (attempt.logPath) await copyJournal(outputs, attempt, attempt.logPath);
  }
}

/** Throws what one of them threw, once all of them are done. */
function sumOf(counts: readonly PromiseSettledResult<number>[]): number {
  return counts.reduce((sum, count) => {
    if (count.status === 'rejected') throw count.reason;
    return sum + count.value;
  }, 0);
}
