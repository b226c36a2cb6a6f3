// One turn of a worker's loop in one transaction: settle what ended, promote what is due, claim what fits.
// A turn that would change nothing writes nothing.

import { isDue } from '../../job/due.ts';
import type { QueueLimit } from '../../job/limits.ts';
import { Tallies } from '../../series/tallies.ts';
import type { Lease, StopMode, Turn, TurnResult } from '../store.ts';
import { ratesOpenAt } from '../limit-rows.ts';
import type { Row } from '../rows.ts';
import { hasReport, mayClaim, refuseAll } from '../turn-rules.ts';
import { claim, claimedNone, hasReady, nextDueAt, promote } from './claim.ts';
import type { Connection } from './connection.ts';
import { hasEndings } from './dependencies.ts';
import { hasFreedGates, refillFreed } from './limits.ts';
import { queueLimits } from './queues.ts';
import { nextTickAt } from './schedules.ts';
import { foundVersion, SCHEMA_VERSION } from './migrate.ts';
import { tally } from './series.ts';
import { readSettings } from './settings.ts';
import { recordProgress, recordStart, settle } from './settle.ts';

/** The clock is read once the lock is held: whoever waited for it long would else write times of before. */
export async function takeTurn(connection: Connection, turn: Turn, clock: () => number): Promise<TurnResult> {
  connection.checkStillThere();
  const seen = hasReport(turn) ? null : await connection.read(() => look(connection, turn, clock()));
  if (seen) return seen;
  const startedAtMs = performance.now();
  const result = await connection.write(() => act(connection, turn, clock()));
  connection.lastTurnMs = performance.now() - startedAtMs;
  return result;
}

/** What there is to know when there is nothing to do; null when there is something. */
function look(connection: Connection, turn: Turn, now: number): TurnResult | null {
  const due = nextDueAt(connection);
  if (isDue(due, now) || hasFreedGates(connection)) return null;
  const limits = queueLimits(connection);
  if (turn.want > 0 && hasReady(connection, turn, limits, now)) return null;
  return { ...NOTHING, nextDueAt: wakeAt(limits, due, now), ...wishes(connection, turn) };
}

const NOTHING = { settled: [], claimed: [], more: false, makesRoom: false } as const;

function act(connection: Connection, turn: Turn, now: number): TurnResult {
  if (!rowOf(connection, turn.worker)) {
    const settled = refuseAll(turn.ended);
    return { ...NOTHING, settled, nextDueAt: nextDueAt(connection), ...wishes(connection, turn) };
  }
  for (const start of turn.started) recordStart(connection, start);
  for (const report of turn.progress ?? []) recordProgress(connection, report, report);
  const tallies = new Tallies();
  const settled = turn.ended.map((ended) => settle(connection, ended, turn.policy, tallies, now));
  const limits = queueLimits(connection);
  const isFreed = hasFreedGates(connection);
  const makesRoom = settled.length > 0 && (isFreed || countsRunning(turn, limits));
  const isMoreFreed = isFreed && refillFreed(connection);
  const promoted = promoteDue(connection, now);
  const wished = wishes(connection, turn);
  const taken = mayClaim(turn, wished) ? claim(connection, turn, limits, now) : claimedNone(limits);
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

/** Whether anything is limited by how many run. */
const countsRunning = (turn: Turn, limits: readonly QueueLimit[]): boolean =>
  turn.maxConcurrentJobs !== null || limits.length > 0;

/** Makes ready what is due; answers when the next will be. A claim changes nothing about that. */
function promoteDue(connection: Connection, now: number): { more: boolean; nextDueAt: number | null } {
  const due = nextDueAt(connection);
  if (!isDue(due, now)) return { more: false, nextDueAt: due };
  const { more } = promote(connection, now);
  return { more, nextDueAt: nextDueAt(connection) };
}

/** When a job becomes due, or a rate lets the next one start. */
function wakeAt(limits: readonly QueueLimit[], due: number | null, now: number): number | null {
  const opens = ratesOpenAt(limits, now);
  return opens === null || (due !== null && due < opens) ? due : opens;
}

type Wishes = Pick<
  TurnResult,
  'known' | 'cancelling' | 'isOutdated' | 'stopRequested' | 'settings' | 'hasEndings' | 'nextTickAt'
>;

/** Nothing when the worker was given up. */
const rowOf = (connection: Connection, worker: Turn['worker']): Row | undefined =>
  connection.sql('SELECT stop_requested FROM workers WHERE id = ? AND condemned_at IS NULL').get(worker.id);

function wishes(connection: Connection, turn: Turn): Wishes {
  const worker = rowOf(connection, turn.worker);
  const cancelling = connection
    .sql(`SELECT seq, runs AS run FROM jobs WHERE locked_by = ? AND cancel_requested_at IS NOT NULL`)
    .all(turn.worker.id) as unknown as Lease[];
  return {
    known: worker !== undefined,
    cancelling,
    isOutdated: foundVersion(connection) > SCHEMA_VERSION,
    stopRequested: (worker?.stop_requested ?? null) as StopMode | null,
    settings: readSettings(connection),
    hasEndings: hasEndings(connection),
    nextTickAt: nextTickAt(connection),
  };
}
