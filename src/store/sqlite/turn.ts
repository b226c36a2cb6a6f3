// One turn of a worker in one transaction: settle ended attempts, promote due jobs, claim jobs. A turn without changes
// writes nothing.

import { isDue } from '../../job/due.ts';
import type { QueueLimit } from '../../job/flow/concurrency.ts';
import { Tallies } from '../../series/tallies.ts';
import type { Lease, StopMode, Turn, TurnResult } from '../store.ts';
import type { Row } from '../rows/rows.ts';
import { hasReport, mayClaim, rejectAll, wakeAt } from '../sql/turn-rules.ts';
import { claim, claimedNone, hasReady, promote } from './claim.ts';
import type { Connection } from './connection.ts';
import { type TurnInfo, readTurnInfo, nextDueAt } from './turn-info.ts';
import { refillFreed } from './limits.ts';
import { queueLimits } from './queues.ts';
import { foundVersion, SCHEMA_VERSION } from './migrate.ts';
import { tally } from './tally.ts';
import { recordProgress, recordStart, settle } from './settle.ts';

/** Reads the clock when the lock is held, because a turn that waited long for it would store times of the past. */
export async function takeTurn(connection: Connection, turn: Turn, clock: () => number): Promise<TurnResult> {
  connection.checkStillThere();
  const seen = hasReport(turn) ? null : await connection.read(() => look(connection, turn, clock()));
  if (seen) return seen;
  const startedAtMs = performance.now();
  const result = await connection.write(() => act(connection, turn, clock()));
  connection.lastTurnMs = performance.now() - startedAtMs;
  return result;
}

/** Returns the result of a turn without changes, or null if there is something to do. */
function look(connection: Connection, turn: Turn, now: number): TurnResult | null {
  const seen = readTurnInfo(connection, turn.worker.id);
  if (isDue(seen.nextDueAt, now) || seen.isFreed) return null;
  const limits = limitsIn(connection, seen);
  if (turn.want > 0 && hasReady(connection, turn, limits, seen.hasTooLarge, now)) return null;
  const wished = wishes(connection, turn, rowOf(connection, turn.worker), seen);
  return { ...NOTHING, nextDueAt: wakeAt(limits, seen.nextDueAt, now), ...wished };
}

const NOTHING = { settled: [], claimed: [], more: false, makesRoom: false } as const;

function act(connection: Connection, turn: Turn, now: number): TurnResult {
  const worker = rowOf(connection, turn.worker);
  if (!worker) {
    const seen = readTurnInfo(connection, turn.worker.id);
    const wished = wishes(connection, turn, worker, seen);
    return { ...NOTHING, settled: rejectAll(turn.ended), nextDueAt: seen.nextDueAt, ...wished };
  }
  for (const start of turn.started) recordStart(connection, start);
  for (const report of turn.progress ?? []) recordProgress(connection, report, report);
  const tallies = new Tallies();
  const settled = turn.ended.map((ended) => settle(connection, ended, turn.policy, tallies, now));
  const seen = readTurnInfo(connection, turn.worker.id);
  const limits = limitsIn(connection, seen);
  const makesRoom = settled.length > 0 && (seen.isFreed || countsRunning(turn, limits));
  const isMoreFreed = seen.isFreed && refillFreed(connection);
  const promoted = promoteDue(connection, seen, now);
  const wished = wishes(connection, turn, worker, seen);
  const taken = mayClaim(turn, wished) ? claim(connection, turn, limits, seen.hasTooLarge, now) : claimedNone(limits);
  for (const { job, waitedMs } of taken.claimed) tallies.started(job.queue, waitedMs);
  tallies.turnTook(connection.lastTurnMs);
  tally(connection, tallies, now);
  return {
    settled,
    claimed: taken.claimed,
    more: taken.more || promoted.more || isMoreFreed,
    makesRoom,
    nextDueAt: wakeAt(taken.limits, promoted.nextDueAt, now),
    ...wished,
  };
}

const limitsIn = (connection: Connection, { isLimited }: TurnInfo): QueueLimit[] =>
  isLimited ? queueLimits(connection) : [];

/** True if a limit depends on the number of running jobs. */
const countsRunning = (turn: Turn, limits: readonly QueueLimit[]): boolean =>
  turn.maxConcurrentJobs !== null || limits.length > 0;

interface Promoted {
  readonly more: boolean;
  readonly nextDueAt: number | null;
}

/** Makes due jobs ready. Returns when the next job is due; a claim does not change that. */
function promoteDue(connection: Connection, seen: TurnInfo, now: number): Promoted {
  if (!isDue(seen.nextDueAt, now)) return { more: false, nextDueAt: seen.nextDueAt };
  const { more } = promote(connection, now);
  return { more, nextDueAt: nextDueAt(connection) };
}

type Wishes = Pick<
  TurnResult,
  'known' | 'cancelling' | 'isOutdated' | 'stopRequested' | 'settings' | 'hasEndings' | 'nextTickAt'
>;

/** Returns undefined if the worker was given up. */
const rowOf = (connection: Connection, worker: Turn['worker']): Row | undefined =>
  connection.sql('SELECT stop_requested FROM workers WHERE id = ? AND condemned_at IS NULL').get(worker.id);

const CANCELLING = 'SELECT seq, runs AS run FROM jobs WHERE locked_by = ? AND cancel_requested_at IS NOT NULL';

function wishes(connection: Connection, turn: Turn, worker: Row | undefined, seen: TurnInfo): Wishes {
  return {
    known: worker !== undefined,
    cancelling: seen.isCancelling ? (connection.sql(CANCELLING).all(turn.worker.id) as unknown as Lease[]) : [],
    isOutdated: foundVersion(connection) > SCHEMA_VERSION,
    stopRequested: (worker?.stop_requested ?? null) as StopMode | null,
    settings: seen.settings,
    hasEndings: seen.hasEndings,
    nextTickAt: seen.nextTickAt,
  };
}
