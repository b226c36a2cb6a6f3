// A unique job goes in only if no other of its key is in its way: none that waits, or none that is unfinished. Told of each
// pair from what the older one did after the younger one had gone in.

import type { Attempt, Job } from '../../src/job/job.ts';
import type { Problem } from '../evidence.ts';
import type { Entry } from '../ledger.ts';

/** The clock of the ledger counts in hundredths of a second. */
const TOLERATED_MS = 50;

export interface UniqueRules {
  readonly waitingKey: string;
  /** Whether this job takes the place of others: those that run are asked to end, and may take their time. */
  readonly replaces: (id: string) => boolean;
}

/** `jobs` in the order they came in. */
export function doubledUnique(
  jobs: readonly Job[],
  entries: readonly Entry[],
  histories: ReadonlyMap<string, readonly Attempt[]>,
  { waitingKey, replaces }: UniqueRules,
): Problem[] {
  const lines = Map.groupBy(entries, ({ jobId }) => jobId);
  const lastSign = ({ id }: Job): number => lines.get(id)?.at(-1)?.at ?? NEVER;
  /** By the store, as its command starts some time after that. A claim after the start is one of a wrong clock. */
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
      return older
        ? { what: `job ${younger.id} went in beside ${older.id} of the same key`, jobId: older.id }
        : [];
    });
  return [...Map.groupBy(jobs.filter(isUnique), ({ uniqueKey }) => uniqueKey).values()].flatMap(beside);
}

const NEVER = Number.NEGATIVE_INFINITY;
const isUnique = ({ uniqueKey }: Job): boolean => uniqueKey !== null;
