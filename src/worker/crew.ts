// Puts a worker together from the parts of a queue.

import { newWorkerId } from '../job/id.ts';
import { Maintenance } from '../maintenance/maintenance.ts';
import { Prune } from '../maintenance/prune.ts';
import { RepairBackoffs } from '../maintenance/repair-backoffs.ts';
import { Rescue } from '../maintenance/rescue.ts';
import { SweepEnvironments } from '../maintenance/sweep-environments.ts';
import type { Place } from '../place.ts';
import { ownIdentity, type ProcessIdentity } from '../process/identity.ts';
import { makeStarter } from '../process/launch.ts';
import { nodeSpawn } from '../process/node-spawn.ts';
import { makePipes } from '../process/pipe.ts';
import { randomBytes } from '../random.ts';
import { Settings, type Stored } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import { Worker } from './worker.ts';
import type { WorkerOptions } from './worker-parts.ts';

/** What a queue brings to its workers. */
export interface Home {
  readonly store: Store;
  readonly place: Place;
  readonly overrides: Stored;
  readonly environment: NodeJS.ProcessEnv;
  /** Who this process is, where that is not to be found out. */
  readonly identity?: ProcessIdentity;
}

export const makeWorkerId = (): string => newWorkerId(randomBytes);

export function startWorker(home: Home, options: WorkerOptions): Worker {
  return new Worker(options, {
    ...home,
    environment: { ...home.environment }, // a plain copy: process.env asks the system for every entry, at every job
    identity: home.identity ?? ownIdentity(home.environment),
    pipes: makePipes(),
    // For one job, making the other takes longer.
    starter: options.only === undefined ? makeStarter(options.ownsProcess) : nodeSpawn,
    chores: (own, settings, log) => {
      const rescue = new Rescue(home.store, own, settings, log);
      const chores = [
        rescue,
        new Prune(home.store, settings),
        new RepairBackoffs(home.store),
        new SweepEnvironments(home.store),
      ];
      return { rescue, maintenance: new Maintenance(chores) };
    },
  });
}

/** One look for dead workers by somebody who is none: what they ran is ended and put back. */
export async function rescueNow(home: Home): Promise<number> {
  const settings = new Settings(await home.store.settings(), home.overrides);
  return rescuerOf(home, () => settings).runOnce();
}

/** Looks after dead workers for somebody who is none. */
export function rescuerOf({ store, environment }: Home, settings: () => Settings): Rescue {
  const own = { id: '', ...ownIdentity(environment), storeId: store.id };
  return new Rescue(store, own, settings, () => {});
}
