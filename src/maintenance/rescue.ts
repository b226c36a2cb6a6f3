// Finding workers that died and giving their jobs back. On this host death is seen at once; elsewhere, and for a
// frozen process, a worker is lost when its heartbeat has stood still for a whole lease, measured by our own
// monotonic clock: neither a clock step nor a suspended laptop makes the living look dead.

import { copyJournal, recordLost } from '../output/lost.ts';
import { type Fate, fateOf, type ProcessIdentity } from '../process/identity.ts';
import { processEntry } from '../process/proc.ts';
import { endTree, treeOf } from '../process/tree.ts';
import type { Settings } from '../settings/settings.ts';
import type { Running, Store, WorkerRecord } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

/** Orphans get less grace than a job with a worker: the queue waits for them. */
const ORPHAN_GRACE_MS = 1000;

/** null when another process has the pid by now: a pid is not used again while its group has members. */
function leaderOf({ pid, pidStartedAt }: Running): number | null {
  const entry = pid === null ? null : processEntry(pid);
  return entry !== null && pidStartedAt !== null && entry.startedAt !== pidStartedAt ? null : pid;
}

interface Sighting {
  readonly heartbeat: number;
  readonly since: number;
}

export class Rescue implements Chore {
  readonly name = 'rescue';
  readonly everyMs = 1000;
  private readonly store: Store;
  private readonly own: ProcessIdentity & { readonly id: string };
  private readonly settings: () => Settings;
  private readonly log: (line: string) => void;
  private readonly sightings = new Map<string, Sighting>();

  constructor(
    store: Store,
    own: ProcessIdentity & { readonly id: string },
    settings: () => Settings,
    log: (line: string) => void,
  ) {
    this.store = store;
    this.own = own;
    this.settings = settings;
    this.log = log;
  }

  async runOnce(): Promise<number> {
    const others = (await this.lookAtAll()).filter((worker) => worker.id !== this.own.id);
    let rescued = 0;
    for (const worker of others) if (this.isLost(worker)) rescued += await this.replace(worker);
    return rescued;
  }

  /** While the store cannot be reached nobody can give a sign of life there: what was seen before proves nothing. */
  private async lookAtAll(): Promise<WorkerRecord[]> {
    try {
      return await this.store.workers();
    } catch (error) {
      this.sightings.clear();
      throw error;
    }
  }

  private isLost(worker: WorkerRecord): boolean {
    const fate: Fate = fateOf(worker, this.own);
    return fate === 'dead' || this.hasStoodStill(worker);
  }

  private hasStoodStill(worker: WorkerRecord): boolean {
    const seen = this.sightings.get(worker.id);
    if (seen?.heartbeat === worker.lastHeartbeat) {
      return performance.now() - seen.since > this.settings().ms('lease_duration');
    }
    this.sightings.set(worker.id, { heartbeat: worker.lastHeartbeat, since: performance.now() });
    return false;
  }

  private async replace(worker: WorkerRecord): Promise<number> {
    const isOfThisHost = worker.host === this.own.host;
    if (isOfThisHost) await this.tidyUp(worker);
    const rescued = await this.store.rescue(worker.id, this.settings().backoff, worker.lastHeartbeat);
    this.sightings.delete(worker.id);
    for (const job of rescued ?? []) {
      if (isOfThisHost) await recordLost(this.store, job, this.settings().number('log_max_bytes'));
      this.log(`rescued   ${job.jobId}  from worker ${worker.id}, now ${job.state}`);
    }
    return rescued?.length ?? 0;
  }

  /** Ends what a dead worker of this host left running, and copies the logs that it did not get to. */
  private async tidyUp(worker: WorkerRecord): Promise<void> {
    const attempts = await this.store.runningOn(worker.id);
    if (worker.bootId === this.own.bootId)
      await Promise.all(
        attempts.map((attempt) =>
          endTree(treeOf(attempt.jobId, worker.id, leaderOf(attempt)), ORPHAN_GRACE_MS),
        ),
      );
    const { outputs, spansHosts } = this.store;
    if (spansHosts)
      for (const attempt of attempts)
        if (attempt.logPath) await copyJournal(outputs, attempt, attempt.logPath);
  }
}
