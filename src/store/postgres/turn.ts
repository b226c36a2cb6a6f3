// One turn of a worker's loop in one transaction: settle what ended, promote what is due, claim what fits.
// A turn that would change nothing is one read. Any other travels twice: what is held and what is claimed, then what
// becomes of it with the commit. A third journey is needed where the claim has to wait for what becomes of others: of
// those that failed, of those that are due, of those that count against a limit. One that has nothing to report looks
// first.
// The worker's own row is locked against its removal first: a rescue waits for the turn, or the turn learns of it.

import { isDue } from '../../job/due.ts';
import { givesOthersWork } from '../../job/waking.ts';
import { Tallies } from '../../series/tallies.ts';
import { ratesOpenAt, reservesByQueue } from '../rows/limit-rows.ts';
import type { Row } from '../rows/rows.ts';
import type { Lease, Settled, Turn, TurnResult } from '../store.ts';
import { hasReport, mayClaim, refuseAll } from '../sql/turn-rules.ts';
import {
  begin,
  type Claim,
  claim,
  claimEarly,
  hasReady,
  NO_CLAIM,
  type Promoted,
  promote,
  RUNNING,
} from './claim.ts';
import type { Connection, Session } from './session/connection.ts';
import { variablesOf } from './environments.ts';
import { type Answer, GLANCE, type Glance, glanceOf } from './glance.ts';
import { lockOf } from './session/names.ts';
import { now } from './rows.ts';
import { proveByAttempt } from './proof.ts';
import { salvaging } from './salvage.ts';
import { tally } from './tally.ts';
import { held, isFollowed, isGated, recordProgress, recordStarts, settle } from './settle.ts';
import { claimWithin } from './limits.ts';
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

/** What there is to know when there is nothing to do; null when there is something. */
async function look(connection: Connection, turn: Turn): Promise<TurnResult | null> {
  const ready = hasReady(turn, '$4', ['$5', '$6']);
  const askedAtMs = performance.now();
  const { rows } = await connection.query(
    `SELECT ${GLANCE}, ${now('$2')} AS now, ${ready.sql} AS has_ready,
       (SELECT 1 FROM freed_gates LIMIT 1) IS NOT NULL AS has_freed,
       ($3::bigint IS NULL OR (${RUNNING}) < $3::bigint) AS has_room`,
    [turn.worker.id, connection.givenNow, turn.maxConcurrentJobs, ...ready.values],
  );
  const row = rows[0] ?? {};
  connection.learnTime(Number(row.now), askedAtMs);
  const told = glanceOf(row);
  if (isDue(told.nextDueAt, Number(row.now)) || row.has_freed) return null;
  if (turn.want > 0 && mayClaim(turn, told) && row.has_ready && row.has_room) return null;
  return { settled: [], claimed: [], more: false, makesRoom: false, ...answerOf(told, Number(row.now)) };
}

/** It is woken when a job becomes due, or when a rate lets the next one start. */
function answerOf({ hasLimits: _, limits, ...told }: Glance, time: number): Answer {
  const opens = ratesOpenAt(limits, time);
  const isFirst = opens !== null && (told.nextDueAt === null || opens < told.nextDueAt);
  return isFirst ? { ...told, nextDueAt: opens } : told;
}

const OWN_ROW = 'SELECT 1 FROM workers WHERE id = $1 AND condemned_at IS NULL FOR KEY SHARE';

async function act(connection: Connection, session: Session, turn: Turn): Promise<TurnResult> {
  const askedAtMs = performance.now();
  const [own, told, jobs, early] = await Promise.all([
    session.sql(OWN_ROW, [turn.worker.id]),
    session.sql(`SELECT ${GLANCE}, ${now('$2')} AS now`, [turn.worker.id, connection.givenNow]),
    held(session, [...turn.ended, ...(turn.progress ?? [])]),
    canClaimEarly(turn) ? claimEarly(session, turn, connection.givenNow) : NO_CLAIM,
  ]);
  if (own.rows.length === 0) return refused(turn, glanceOf(told.rows[0] ?? {}));
  const at = Number(told.rows[0]?.now);
  connection.learnTime(at, askedAtMs);
  const seen = glanceOf(told.rows[0] ?? {});
  recordStarts(session, turn.started);
  recordProgress(session, turn.progress ?? [], jobs);
  const tallies = new Tallies();
  const settled = settle(session, turn.ended, jobs, turn.policy, tallies, at);
  const ending = endingAmong(jobs, turn);
  const isAnyGated = ending.some(isGated);
  const makesRoom = settled.length > 0 && (turn.maxConcurrentJobs !== null || seen.hasLimits || isAnyGated);
  if (givesOthersWork(settled, makesRoom)) tellAll(connection, session);
  const isEarly = canClaimEarly(turn) && !seen.hasLimits && !isDue(seen.nextDueAt, at);
  const { rows, more, ...rest } = isEarly
    ? { ...early, ...seen, cancelling: seen.cancelling.filter(isNotAmong(settled)) }
    : await claimLate(
        connection,
        session,
        turn,
        early.rows,
        {
          ...seen,
          hasLimits: seen.hasLimits || isAnyGated || reservesByQueue(turn) || turn.only !== undefined,
        },
        at,
      );
  const environments = await variablesOf(connection, session, rows);
  const claimed = begin(session, turn, rows, environments);
  for (const { job, waitedMs } of claimed) tallies.started(job.queue, waitedMs);
  tallies.turnTook(connection.lastTurnMs);
  tally(session, tallies, at);
  proveByAttempt(session, turn.worker.id, settled, claimed, at);
  return {
    settled,
    claimed,
    makesRoom,
    ...answerOf(rest, at),
    more: more || (isEarly && isAnyGated), // the place that became free is given away by the next turn
    hasEndings: rest.hasEndings || ending.some(isFollowed),
    known: true,
  };
}

/** Without those that only said something of themselves. */
function endingAmong<T extends Lease>(jobs: readonly T[], { ended, progress = [] }: Turn): readonly T[] {
  if (progress.length === 0) return jobs;
  const seqs = new Set(ended.map(({ seq }) => seq));
  return jobs.filter(({ seq }) => seqs.has(seq));
}

const refused = (turn: Turn, { hasLimits: _, limits: __, ...told }: Glance): TurnResult => ({
  settled: refuseAll(turn.ended),
  claimed: [],
  more: false,
  makesRoom: false,
  ...told,
  known: false,
});

/** Without waiting for what becomes of those that ended: they neither make room nor can be claimed again. */
const canClaimEarly = (turn: Turn): boolean =>
  turn.only === undefined &&
  turn.maxConcurrentJobs === null &&
  !reservesByQueue(turn) &&
  turn.ended.every(({ ending }) => ending.outcome === 'completed');

const NOTHING_PROMOTED: Promoted = { more: false, isAnyGated: false };

/** With what is known of due jobs, and after the ends were written. */
async function claimLate(
  connection: Connection,
  session: Session,
  turn: Turn,
  early: readonly Row[],
  { hasLimits, nextDueAt }: Glance,
  at: number,
): Promise<Claim & Glance> {
  const rest = { ...turn, want: turn.want - early.length };
  const promoted = isDue(nextDueAt, at) ? await promote(session, at) : NOTHING_PROMOTED;
  const late =
    hasLimits || promoted.isAnyGated
      ? await claimLimited(connection, session, rest, at)
      : claimGuarded(connection, session, rest, at);
  const told = session.sql(`SELECT ${GLANCE}`, [turn.worker.id]);
  const [{ rows, more }, answer] = await Promise.all([late, told]);
  return { rows: [...early, ...rows], more: promoted.more || more, ...glanceOf(answer.rows[0] ?? {}) };
}

const isNotAmong =
  (settled: readonly Settled[]) =>
  ({ seq, run }: Lease): boolean =>
    !settled.some((one) => one.seq === seq && one.run === run);

/** A limit over all workers holds only if one counts at a time, and counts what the one before has claimed. */
const lockLimits = (connection: Connection, session: Session): Promise<unknown> =>
  session.sql('SELECT pg_advisory_xact_lock($1, $2)', lockOf(connection.target.schema, 'count running jobs'));

async function claimGuarded(
  connection: Connection,
  session: Session,
  turn: Turn,
  at: number,
): Promise<Claim> {
  if (turn.maxConcurrentJobs === null) return claim(session, turn, at);
  const [, claimed] = await Promise.all([lockLimits(connection, session), claim(session, turn, at)]);
  return claimed;
}

async function claimLimited(
  connection: Connection,
  session: Session,
  turn: Turn,
  at: number,
): Promise<Claim> {
  await lockLimits(connection, session);
  return claimWithin(session, turn, at);
}
