// Assembles a worker from the parts of a queue.

import { newWorkerId } from '../job/id.ts';
import { withoutJobServer } from '../job/isolation/job-token.ts';
import { ForgetAccess } from '../maintenance/forget-access.ts';
import { Maintenance } from '../maintenance/maintenance.ts';
import { Prune } from '../maintenance/prune.ts';
import { RecheckSizes, RecheckWaiting } from '../maintenance/recheck-waiting.ts';
import { RepairBackoffs } from '../maintenance/repair-backoffs.ts';
import { RepairSchedules } from '../maintenance/repair-schedules.ts';
import { Rescue } from '../maintenance/rescue.ts';
import { SweepEnvironments } from '../maintenance/sweep-environments.ts';
import { SeriesUpkeep } from '../maintenance/series-upkeep.ts';
import { SweepGoneQueues } from '../maintenance/sweep-gone-queues.ts';
import { SweepLeftovers } from '../maintenance/sweep-leftovers.ts';
import { SweepGroups } from '../maintenance/sweep-groups.ts';
import { TickSchedules } from '../maintenance/tick-schedules.ts';
import type { Place } from '../store/location.ts';
import { ownIdentity, type ProcessIdentity } from '../process/tree/identity.ts';
import { makeStarter } from '../process/spawn/launch.ts';
import { nodeSpawn } from '../process/spawn/node-spawn.ts';
import { makePipes } from '../process/output/pipe.ts';
import { randomBytes } from '../system/random.ts';
import { Settings, type Stored } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import { JobPasses } from './job-socket/job-passes.ts';
import { startCheckOf } from './attempt/start-check.ts';
import { vaultOf } from './attempt/vault.ts';
import { openTracer } from './tracing.ts';
import { Worker } from './worker.ts';
import type { WorkerOptions } from './worker-parts.ts';

/** The parts of a queue that workers use. */
export interface QueueBackend {
  readonly store: Store;
  readonly place: Place;
  readonly overrides: Stored;
  readonly environment: NodeJS.ProcessEnv;
  /** Identity of this process; detected if absent. */
  readonly identity?: ProcessIdentity;
}

export const makeWorkerId = (): string => newWorkerId(randomBytes);

export function startWorker(home: QueueBackend, options: WorkerOptions): Worker {
  // A worker started inside a job does not pass that job's group and trace on to its own jobs. The rest is copied to a
  // plain object, because process.env makes a system call for every entry.
  const { QUEUECTL_GROUP: _, TRACEPARENT: _p, TRACESTATE: _s, ...others } = home.environment;
  const environment = withoutJobServer(others);
  return new Worker(options, {
    ...home,
    environment,
    identity: home.identity ?? ownIdentity(home.environment),
    pipes: makePipes(),
    // For a single job, creating the fast starter takes longer than it saves.
    starter: options.only === undefined ? makeStarter(options.ownsProcess) : nodeSpawn,
    openTracer: (worker, log) =>
      openTracer({ store: home.store, worker, environment: home.environment, log }),
    chores: (own, settings, log, rescued) => {
      const rescue = new Rescue(home.store, own, settings, log, rescued);
      const chores = [
        rescue,
        new Prune(home.store, settings),
        new RepairBackoffs(home.store),
        new SweepEnvironments(home.store),
        new SweepGroups(home.store),
        new RecheckWaiting(home.store),
        new RecheckSizes(home.store),
        new SeriesUpkeep(home.store),
        new RepairSchedules(home.store),
        new ForgetAccess(home.store),
        new SweepLeftovers(home.store, home.place.run, environment),
        new SweepGoneQueues(home.place.run, environment),
      ];
      const ticks = new TickSchedules(home.store, settings, log, own.id);
      const startCheck = startCheckOf({ store: home.store, workerId: own.id, settings, environment });
      const { jobServer } = options;
      const passes = jobServer ? new JobPasses(home, own.id, jobServer, log) : null;
      const atStart = { startCheck, vault: vaultOf(home, own.id), passes };
      const maintenance = new Maintenance(chores);
      return { rescue, maintenance, tick: () => ticks.runOnce(), atStart };
    },
  });
}

/** Rescues the jobs of lost workers once, for a process that is not a worker. */
export async function rescueNow(home: QueueBackend): Promise<number> {
  const settings = new Settings(await home.store.settings(), home.overrides);
  return rescuerOf(home, () => settings).runOnce();
}

/** Returns a rescuer for a process that is not a worker. */
export function rescuerOf({ store, environment }: QueueBackend, settings: () => Settings): Rescue {
  const own = { id: '', ...ownIdentity(environment), storeId: store.id };
  return new Rescue(store, own, settings, () => {});
}
