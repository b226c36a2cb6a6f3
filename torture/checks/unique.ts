// Checks that a unique job is stored only if no conflicting job is waiting or unfinished. For each pair, uses what the
// older job did after the younger one was stored.

import type { Attempt, Job } from '../../src/job/job.ts';
import type { Problem } from '../evidence.ts';
import type { Entry } from '../ledger.ts';

/** The ledger's clock counts hundredths of a second. */
const TOLERATED_MS = 50;

export interface UniqueRules {
  readonly waitingKey: string;
  /** True if the job replaces others; running ones are cancelled and may take some time. */
  readonly replaces: (id: string) => boolean;
}

/** `jobs` are in the order of enqueueing. */
export function doubledUnique(
  jobs: readonly Job[],
  entries: readonly Entry[],
  histories: ReadonlyMap<string, readonly Attempt[]>,
  { waitingKey, replaces }: UniqueRules,
): Problem[] {
  const lines = Map.groupBy(entries, ({ jobId }) => jobId);
  const lastSign = ({ id }: Job): number => lines.get(id)?.at(-1)?.at ?? NEVER;
  /**
   * Uses the store's claim time, because the command starts later. A claim after the start comes from a wrong clock.
   */
  const firstClaim = ({ id }: Job): number => {
    const start = lines.get(id)?.find(({ kind }) => kind === 'start');
    const claimedAt = histories.get(id)?.[0]?.startedAt ?? NEVER;
    return start === undefined || claimedAt > start.at + TOLERATED_MS ? NEVER : claimedAt;
  };
  const waited = (younger: Job): boolean => younger.uniqueKey === waitingKey || replaces(younger.id);
  const isInTheWay = (older: Job, younger: Job): boolean =>
    (waited(younger) ? firstClaim(older) : lastSign(older)) > younger.createdAt + TOLERATED_MS;
  const beside = (ofKey: readonly Job[]): Problem[] =>
    ofKey.flatMap((younger, i) => {
      const older = ofKey.slice(0, i).find((one) => isInTheWay(one, younger));
      return older ? { what: `job ${younger.id} went in beside ${older.id} of the same key`, jobId: older.id } : [];
    });
  return [...Map.groupBy(jobs.filter(isUnique), ({ uniqueKey }) => uniqueKey).values()].flatMap(beside);
}

const NEVER = Number.NEGATIVE_INFINITY;
const isUnique = ({ uniqueKey }: Job): boolean => uniqueKey !== null;
