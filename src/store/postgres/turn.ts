// One turn of a worker's loop in one transaction: settles finished attempts, promotes due jobs and claims jobs.
// A turn that would change nothing is a single read. A turn without a report reads first. Other turns take two round trips: the
// first one writes completed attempts and claims new jobs, the second one creates their attempts and commits. If an attempt
// did not just complete, the first one locks the finished jobs, and the second one writes the outcomes. A third round trip is
// needed if the claim depends on the outcome of other jobs: failed ones, due ones, or ones that count against a limit.
// The worker's row is locked first: a rescue waits for the turn, or the turn finds the worker condemned.

import { isDue } from '../../job/due.ts';
import { givesOthersWork } from '../../job/waking.ts';
import { Tallies } from '../../series/tallies.ts';
import { hasReport, mayClaim, rejectAll, wakeAt } from '../sql/turn-rules.ts';
import type { Lease, Settled, Turn, TurnResult } from '../store.ts';
import { claim, claimEarly, hasReady } from './claim.ts';
import { type Answer, TURN_INFO, type TurnInfo, turnInfoOf } from './turn-info.ts';
import { proveByAttempt } from './proof.ts';
import { now } from './rows.ts';
import { withFallback } from './report-fallback.ts';
import type { Connection, Session } from './session/connection.ts';
import {
  areWritten,
  complete,
  finish,
  held,
  isAllPlain,
  isFollowed,
  isGated,
  recordProgress,
  recordStarts,
  settle,
} from './settle.ts';
import { tally } from './tally.ts';
import { wakeWorkers } from './wake.ts';

export async function takeTurn(connection: Connection, turn: Turn): Promise<TurnResult> {
  const seen = hasReport(turn) ? null : await look(connection, turn);
  const take = (one: Turn): Promise<TurnResult> =>
    connection.write((session) => act(connection, session, one), { isRepeatable: true });
  if (seen) return seen;
  const startedAtMs = performance.now();
  const result = await withFallback(turn, take);
  connection.lastTurnMs = performance.now() - startedAtMs;
  return result;
}

/** Returns the result of a turn that has nothing to do, or null if there is something to do. */
async function look(connection: Connection, turn: Turn): Promise<TurnResult | null> {
  const ready = hasReady(turn, 3);
  const askedAtMs = performance.now();
  const { rows } = await connection.query(
    `SELECT ${TURN_INFO}, ${now('$2')} AS now, ${ready.sql} AS has_ready,
       (SELECT 1 FROM freed_gates LIMIT 1) IS NOT NULL AS has_freed`,
    [turn.worker.id, connection.givenNow, ...ready.values],
  );
  const row = rows[0] ?? {};
  const time = Number(row.now);
  connection.learnTime(time, askedAtMs);
  const seen = turnInfoOf(row);
  if (isDue(seen.nextDueAt, time) || row.has_freed) return null;
  if (turn.want > 0 && mayClaim(turn, seen) && row.has_ready) return null;
  return { ...NOTHING, ...answerOf(seen, time) };
}

const NOTHING = { settled: [], claimed: [], more: false, makesRoom: false } as const;

/** The worker wakes up when a job becomes due, or when a rate limit allows the next start. */
const answerOf = ({ hasLimits: _, limits, ...answer }: TurnInfo, time: number): Answer => ({
  ...answer,
  nextDueAt: wakeAt(limits, answer.nextDueAt, time),
});

const FROM_OWN_ROW = 'FROM workers WHERE id = $1 AND condemned_at IS NULL FOR KEY SHARE';

async function act(connection: Connection, session: Session, turn: Turn): Promise<TurnResult> {
  const askedAtMs = performance.now();
  const isPlain = isAllPlain(turn);
  const looking = session.sql(`SELECT ${TURN_INFO}, ${now('$2')} AS now ${FROM_OWN_ROW}`, [
    turn.worker.id,
    connection.givenNow,
  ]);
  recordStarts(session, turn); // before the ends of the same attempts
  const [{ rows }, completed, heldJobs, early] = await Promise.all([
    looking,
    isPlain ? complete(session, turn, connection.givenNow) : [],
    isPlain ? [] : held(session, [...turn.ended, ...(turn.progress ?? [])]),
    claimEarly(session, turn, connection.givenNow),
  ]);
  if (rows.length === 0) return rejected(session, turn);
  const seen = turnInfoOf(rows[0] ?? {});
  const time = Number(rows[0]?.now);
  connection.learnTime(time, askedAtMs);
  recordProgress(session, turn.progress ?? [], heldJobs);
  const tallies = new Tallies();
  const isWritten = areWritten(turn.ended, completed);
  const left = turn.ended.filter((_, i) => !isWritten[i]);
  const jobs = isPlain ? await held(session, left) : heldJobs;
  const written = turn.ended.filter((_, i) => isWritten[i]);
  const [finished, others] = [
    finish(session, written, completed, tallies),
    settle(session, left, jobs, turn.policy, tallies, time),
  ];
  const settled = isWritten.map((one) => (one ? finished : others).shift() as Settled);
  const ending = [...completed, ...endingAmong(jobs, turn)];
  const isAnyGated = ending.some(isGated);
  const makesRoom = settled.length > 0 && (turn.maxConcurrentJobs !== null || seen.hasLimits || isAnyGated);
  if (givesOthersWork(settled, makesRoom)) wakeWorkers(connection, session);
  const taken = await claim(connection, session, turn, { early, seen, isAnyGated, time });
  for (const { job, waitedMs } of taken.claimed) tallies.started(job.queue, waitedMs);
  tallies.turnTook(connection.lastTurnMs);
  tally(session, tallies, time);
  proveByAttempt(session, turn.worker.id, settled, taken.claimed, completed[0]?.now ?? time);
  return {
    settled,
    claimed: taken.claimed,
    makesRoom,
    more: taken.more,
    ...answerOf(taken.seen, time),
    cancelling: taken.seen.cancelling.filter(isNotAmong(settled)),
    hasEndings: taken.seen.hasEndings || ending.some(isFollowed),
    known: true,
  };
}

/** The jobs whose attempts have ended; others only reported progress. */
function endingAmong<T extends Lease>(jobs: readonly T[], { ended, progress = [] }: Turn): readonly T[] {
  if (progress.length === 0) return jobs;
  const seqs = new Set(ended.map(({ seq }) => seq));
  return jobs.filter(({ seq }) => seqs.has(seq));
}

async function rejected(session: Session, turn: Turn): Promise<TurnResult> {
  const { rows } = await session.sql(`SELECT ${TURN_INFO}`, [turn.worker.id]);
  const { hasLimits: _, limits: __, ...answer } = turnInfoOf(rows[0] ?? {});
  return { ...NOTHING, settled: rejectAll(turn.ended), ...answer, known: false };
}

const isNotAmong =
  (settled: readonly Settled[]) =>
  ({ seq, run }: Lease): boolean =>
    !settled.some((one) => one.seq === seq && one.run === run);
