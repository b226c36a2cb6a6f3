// Checks a claimed job against the policy and its recipe again, so that rows written directly to the database cannot
// bypass them.

import { type Exit, notRun } from '../../process/spawn/exit.ts';
import { type Launched, launchLater, notLaunched } from '../../process/spawn/launch.ts';
import { policyOf } from '../../settings/policy.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Claimed, Store } from '../../store/store.ts';

/**
 * Resolves to the reason for a rejection, or to null. Returns null instead of a promise if there is nothing to check.
 */
export type StartCheck = (claimed: Claimed) => Promise<string | null> | null;

interface Asker {
  readonly store: Store;
  readonly workerId: string;
  readonly settings: () => Settings;
  /** Environment for jobs that have none of their own. */
  readonly environment: NodeJS.ProcessEnv;
}

export const startCheckOf =
  (asker: Asker): StartCheck =>
  (claimed) =>
    policyOf(asker.settings()) === null && claimed.job.confinement?.recipe === undefined
      ? null
      : rejectionOf(asker, claimed);

async function rejectionOf({ store, workerId, settings, environment }: Asker, claimed: Claimed) {
  const { recordRejectedBy, rejectionAtStart } = await import('../../intake/policy-check.ts');
  const { QueueRecipes } = await import('../../queue/recipes.ts');
  const reason =
    rejectionAtStart(claimed, settings(), environment) ?? (await new QueueRecipes(store).rejectionOf(claimed.job));
  if (reason !== null) await recordRejectedBy(store, workerId, claimed.job.id, reason);
  return reason;
}

export const launchIfAllowed = (rejection: Promise<string | null>, begin: () => Launched): Launched =>
  launchLater(
    rejection.then((reason) => (reason === null ? begin() : notLaunched(notRun('rejected', `rejected: ${reason}`)))),
    uncheckable,
  );

/** Another worker, or this one later, may be able to check. */
const uncheckable = ({ message }: Error): Exit => ({
  ...notRun('released', `could not start: cannot check whether the job is allowed to run: ${message}`),
  isShortage: true,
});
