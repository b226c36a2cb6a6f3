// Whether a claimed job may be started: asked of the policy and of its recipe once more, so that a row that was written past
// them does not run. Where there is neither, nothing is asked.

import type { Exit } from '../../process/spawn/exit.ts';
import type { Launched } from '../../process/spawn/launch.ts';
import { policyOf } from '../../settings/policy.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Claimed, Store } from '../../store/store.ts';

/** Why not, or null: it may. null instead of an answer: there is nothing to ask. */
export type StartCheck = (claimed: Claimed) => Promise<string | null> | null;

interface Asker {
  readonly store: Store;
  readonly workerId: string;
  readonly settings: () => Settings;
  /** What jobs inherit that have no environment of their own. */
  readonly environment: NodeJS.ProcessEnv;
}

export const startCheckOf =
  (asker: Asker): StartCheck =>
  (claimed) =>
    policyOf(asker.settings()) === null && claimed.job.confinement?.recipe === undefined
      ? null
      : refusalOf(asker, claimed);

async function refusalOf({ store, workerId, settings, environment }: Asker, claimed: Claimed) {
  const { recordRefusedBy, refusalAtStart } = await import('../../intake/policy-check.ts');
  const { QueueRecipes } = await import('../../queue/recipes.ts');
  const reason =
    refusalAtStart(claimed, settings(), environment) ??
    (await new QueueRecipes(store).refusalOf(claimed.job));
  if (reason !== null) await recordRefusedBy(store, workerId, claimed.job.id, reason);
  return reason;
}

export function launchIfAllowed(refusal: Promise<string | null>, begin: () => Launched): Launched {
  const launched = refusal.then((reason) => (reason === null ? begin() : notStarted(refused(reason))));
  return {
    pid: launched.then(({ pid }) => pid).catch(() => null),
    exit: launched.then(({ exit }) => exit).catch(unasked),
  };
}

const notStarted = (exit: Exit): Launched => ({ pid: Promise.resolve(null), exit: Promise.resolve(exit) });

const refused = (reason: string): Exit => ({
  outcome: 'refused',
  exitCode: null,
  signal: null,
  error: `rejected: ${reason}`,
});

/** Another worker may be able to tell, or this one later. */
const unasked = (error: Error): Exit => ({
  outcome: 'released',
  exitCode: null,
  signal: null,
  error: `could not start: cannot check whether the job is allowed to run: ${error.message}`,
  isShortage: true,
});
