// Assembles a worker from the parts of a queue.

import { newWorkerId } from '../job/id.ts';
import { withoutJobServer } from '../job/isolation/job-token.ts';
import { Maintenance } from '../maintenance/maintenance.ts';
import { pruneByRetention } from '../maintenance/prune.ts';
import { repairSchedules } from '../maintenance/repair-schedules.ts';
import { Rescue } from '../maintenance/rescue.ts';
import { sweepGoneQueues } from '../maintenance/sweep-gone-queues.ts';
import { sweepLeftovers } from '../maintenance/sweep-leftovers.ts';
import {
  forgetAccess,
  recheckSizes,
  recheckWaiting,
  repairBackoffs,
  seriesUpkeep,
  sweepEnvironments,
  sweepGroups,
} from '../maintenance/store-chores.ts';
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
import { LiveSettings } from './live-settings.ts';
import { Tracing } from './tracing.ts';
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
  const { store, place, overrides } = home;
  // A worker started inside a job does not pass that job's group and trace on to its own jobs. The rest is copied to a
  // plain object, because process.env makes a system call for every entry.
  const { QUEUECTL_GROUP: _, TRACEPARENT: _p, TRACESTATE: _s, ...others } = home.environment;
  const environment = withoutJobServer(others);
  const identity = home.identity ?? ownIdentity(home.environment);
  const own = { ...identity, id: options.id, storeId: store.id };
  const log = (line: string): void => options.log(`${own.id}  ${line}`);
  const live = new LiveSettings(overrides);
  const settings = (): Settings => live.current;
  const tracing = new Tracing({ store, worker: own, environment: home.environment, log });
  const rescue = new Rescue(store, own, settings, log, (job) => tracing.tracer?.lost(job));
  const ticks = new TickSchedules(store, settings, log, own.id);
  const { jobServer } = options;
  return new Worker(options, {
    ...{ store, place, environment, own, log, live, settings, tracing, rescue },
    pipes: makePipes(),
    // For a single job, creating the fast starter takes longer than it saves.
    starter: options.only === undefined ? makeStarter(options.ownsProcess) : nodeSpawn,
    maintenance: new Maintenance([
      rescue,
      pruneByRetention(store, settings),
      repairBackoffs(store),
      sweepEnvironments(store),
      sweepGroups(store),
      recheckWaiting(store),
      recheckSizes(store),
      seriesUpkeep(store),
      repairSchedules(store),
      forgetAccess(store),
      sweepLeftovers(store, place.run, environment),
      sweepGoneQueues(place.run, environment),
    ]),
    tick: () => ticks.runOnce(),
    startCheck: startCheckOf({ store, workerId: own.id, settings, environment }),
    vault: vaultOf(home, own.id),
    passes: jobServer ? new JobPasses(home, own.id, jobServer, log) : null,
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
