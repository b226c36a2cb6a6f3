// One turn of a worker's loop in one transaction: settle what ended, promote what is due, claim what fits.
// A turn that would change nothing is one read. Any other travels twice: what is held and what is claimed, then what
// becomes of it with the commit. A third journey is needed where the claim has to wait for what becomes of others: of
// those that failed, of those that are due, of those that count against a limit. One that has nothing to report looks
// first.
// The worker's own row is locked against its removal first: a rescue waits for the turn, or the turn learns of it.

import { isDue } from '../../job/due.ts';
import { givesOthersWork } from '../../job/waking.ts';
import { Tallies } from '../../series/tallies.ts';
import { hasReport, mayClaim, refuseAll, wakeAt } from '../sql/turn-rules.ts';
import type { Lease, Settled, Turn, TurnResult } from '../store.ts';
import { claim, claimEarly, hasReady } from './claim.ts';
import { type Answer, GLANCE, type Glance, glanceOf } from './glance.ts';
import { proveByAttempt } from './proof.ts';
import { now } from './rows.ts';
import { salvaging } from './salvage.ts';
import type { Connection, Session } from './session/connection.ts';
import { held, isFollowed, isGated, recordProgress, recordStarts, settle } from './settle.ts';
import { tally } from './tally.ts';
import { tellAll } from './wake.ts';

export async function takeTurn(connection: Connection, turn: Turn): Promise<TurnResult> {
  const seen = hasReport(turn) ? null : await look(connection, turn);
  const take = (one: Turn): Promise<TurnResult> =>
    connection.write((session) => act(connection, session, one), { isRepeatable: true });
  if (seen) return seen;
  const startedAtMs = performance.now();
  const result = await salvaging(turn, take);
  connection.lastTurnMs = performance.now() - startedAtMs;
  return result;
}

/** Returns the result of a turn that has nothing to do, or null if there is something to do. */
async function look(connection: Connection, turn: Turn): Promise<TurnResult | null> {
  const ready = hasReady(turn, 3);
  const askedAtMs = performance.now();
  const { rows } = await connection.query(
    `SELECT ${GLANCE}, ${now('$2')} AS now, ${ready.sql} AS has_ready,
       (SELECT 1 FROM freed_gates LIMIT 1) IS NOT NULL AS has_freed`,
    [turn.worker.id, connection.givenNow, ...ready.values],
  );
  const row = rows[0] ?? {};
  const time = Number(row.now);
  connection.learnTime(time, askedAtMs);
  const seen = glanceOf(row);
  if (isDue(seen.nextDueAt, time) || row.has_freed) return null;
  if (turn.want > 0 && mayClaim(turn, seen) && row.has_ready) return null;
  return { ...NOTHING, ...answerOf(seen, time) };
}

const NOTHING = { settled: [], claimed: [], more: false, makesRoom: false } as const;

/** What the worker is told. It is woken when a job becomes due, or when a rate lets the next one start. */
const answerOf = ({ hasLimits: _, limits, ...answer }: Glance, time: number): Answer => ({
  ...answer,
  nextDueAt: wakeAt(limits, answer.nextDueAt, time),
});

const OWN_ROW = 'SELECT 1 FROM workers WHERE id = $1 AND condemned_at IS NULL FOR KEY SHARE';

async function act(connection: Connection, session: Session, turn: Turn): Promise<TurnResult> {
  const askedAtMs = performance.now();
  const [own, { rows }, jobs, early] = await Promise.all([
    session.sql(OWN_ROW, [turn.worker.id]),
    session.sql(`SELECT ${GLANCE}, ${now('$2')} AS now`, [turn.worker.id, connection.givenNow]),
    held(session, [...turn.ended, ...(turn.progress ?? [])]),
    claimEarly(session, turn, connection.givenNow),
  ]);
  const seen = glanceOf(rows[0] ?? {});
  if (own.rows.length === 0) return refused(turn, seen);
  const time = Number(rows[0]?.now);
  connection.learnTime(time, askedAtMs);
  recordStarts(session, turn.started);
  recordProgress(session, turn.progress ?? [], jobs);
  const tallies = new Tallies();
  const settled = settle(session, turn.ended, jobs, turn.policy, tallies, time);
  const ending = endingAmong(jobs, turn);
  const isAnyGated = ending.some(isGated);
  const makesRoom = settled.length > 0 && (turn.maxConcurrentJobs !== null || seen.hasLimits || isAnyGated);
  if (givesOthersWork(settled, makesRoom)) tellAll(connection, session);
  const taken = await claim(connection, session, turn, { early, seen, isAnyGated, time });
  for (const { job, waitedMs } of taken.claimed) tallies.started(job.queue, waitedMs);
  tallies.turnTook(connection.lastTurnMs);
  tally(session, tallies, time);
  proveByAttempt(session, turn.worker.id, settled, taken.claimed, time);
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

function refused(turn: Turn, { hasLimits: _, limits: __, ...answer }: Glance): TurnResult {
  return { ...NOTHING, settled: refuseAll(turn.ended), ...answer, known: false };
}

const isNotAmong =
  (settled: readonly Settled[]) =>
  ({ seq, run }: Lease): boolean =>
    !settled.some((one) => one.seq === seq && one.run === run);
