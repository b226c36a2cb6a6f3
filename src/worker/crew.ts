// Puts a worker together from the parts of a queue.

import { newWorkerId } from '../job/id.ts';
import { Maintenance } from '../maintenance/maintenance.ts';
import { Mend } from '../maintenance/mend.ts';
import { Prune } from '../maintenance/prune.ts';
import { Rescue } from '../maintenance/rescue.ts';
import type { Place } from '../place.ts';
import { ownIdentity } from '../process/identity.ts';
import { makeStarter } from '../process/launch.ts';
import { nodeSpawn } from '../process/node-spawn.ts';
import { makePipes } from '../process/pipe.ts';
import { randomBytes } from '../random.ts';
import { Settings, type Stored } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import { Worker, type WorkerOptions } from './worker.ts';

/** What a queue brings to its workers. */
export interface Home {
  readonly store: Store;
  readonly place: Place;
  readonly overrides: Stored;
  readonly environment: NodeJS.ProcessEnv;
}

export const makeWorkerId = (): string => newWorkerId(randomBytes);

export function hire(home: Home, options: WorkerOptions): Worker {
  return new Worker(options, {
    ...home,
    environment: { ...home.environment }, // a plain copy: process.env asks the system for every entry, at every job
    identity: ownIdentity(home.environment),
    pipes: makePipes(),
    starter: options.only === undefined ? makeStarter() : nodeSpawn, // for one job, making the other takes longer
    maintenance: (own, settings, log) =>
      new Maintenance([
        new Rescue(home.store, own, settings, log),
        new Prune(home.store, settings),
        new Mend(home.store),
      ]),
  });
}

/** One look for dead workers by somebody who is none: what they ran is ended and put back. */
export async function rescueNow(home: Home): Promise<number> {
  const settings = new Settings(await home.store.settings(), home.overrides);
  const own = { id: '', ...ownIdentity(home.environment) };
  return new Rescue(
    home.store,
    own,
    () => settings,
    () => {},
  ).runOnce();
}
