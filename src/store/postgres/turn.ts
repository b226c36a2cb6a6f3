// One turn of a worker's loop in one transaction: settle what ended, promote what is due, claim what fits.
// A turn that would change nothing is one read. Any other travels twice: what is held and what is claimed, then what
// becomes of it with the commit. A third journey is needed where the claim has to wait for what becomes of others: of
// those that failed, of those that are due, of those that count against a limit. One that has nothing to report looks
// first.
// The worker's own row is locked against its removal first: a rescue waits for the turn, or the turn learns of it.

import { isDue } from '../../job/due.ts';
import { givesOthersWork } from '../../job/waking.ts';
import type { Row } from '../rows.ts';
import type { Lease, Settled, StopMode, Turn, TurnResult } from '../store.ts';
import { hasReport, mayClaim, refuseAll } from '../turn-rules.ts';
import {
  begin,
  type Claim,
  claim,
  claimUnlessSomeAreDue,
  hasReady,
  NEXT_DUE_AT,
  NO_CLAIM,
  promote,
  RUNNING,
} from './claim.ts';
import type { Connection, Session } from './connection.ts';
import { variablesOf } from './environments.ts';
import { IS_OUTDATED } from './migrate.ts';
import { lockOf } from './names.ts';
import { now } from './rows.ts';
import { proveByAttempt } from './proof.ts';
import { salvaging } from './salvage.ts';
import { SETTINGS, settingsOf } from './settings.ts';
import { held, recordStarts, settle } from './settle.ts';
import { tellAll } from './wake.ts';

export async function takeTurn(connection: Connection, turn: Turn): Promise<TurnResult> {
  const seen = hasReport(turn) ? null : await look(connection, turn);
  const take = (one: Turn): Promise<TurnResult> =>
    connection.write((session) => act(connection, session, one), { isRepeatable: true });
  return seen ?? salvaging(turn, take);
}

/** What a worker wants to know at each turn. $1 is its id. */
const WISHES = `
  (SELECT id FROM workers WHERE id = $1 AND condemned_at IS NULL) IS NOT NULL AS known,
  (SELECT stop_requested FROM workers WHERE id = $1) AS stop_requested,
  ${IS_OUTDATED} AS is_outdated,
  (SELECT coalesce(json_agg(json_build_object('seq', seq, 'number', runs) ORDER BY seq), '[]')
    FROM jobs WHERE locked_by = $1 AND cancel_requested_at IS NOT NULL) AS cancelling,
  (${SETTINGS}) AS settings,
  ${NEXT_DUE_AT} AS next_due_at`;

/** What there is to know when there is nothing to do; null when there is something. */
async function look(connection: Connection, turn: Turn): Promise<TurnResult | null> {
  const ready = hasReady(turn, '$3');
  const askedAtMs = performance.now();
  const { rows } = await connection.query(
    `SELECT ${WISHES}, ${now('$2')} AS now, ${ready.sql} AS has_ready,
       ($4::bigint IS NULL OR (${RUNNING}) < $4::bigint) AS has_room`,
    [turn.worker.id, connection.givenNow, ready.value, turn.maxConcurrentJobs],
  );
  const row = rows[0] ?? {};
  connection.learnTime(Number(row.now), askedAtMs);
  const told = wishesOf(row);
  if (isDue(told.nextDueAt, Number(row.now))) return null;
  if (turn.want > 0 && mayClaim(told) && row.has_ready && row.has_room) return null;
  return { settled: [], claimed: [], more: false, ...told };
}

type Wishes = Pick<
  TurnResult,
  'known' | 'cancelling' | 'isOutdated' | 'stopRequested' | 'settings' | 'nextDueAt'
>;

const wishesOf = (row: Row): Wishes => ({
  known: row.known as boolean,
  cancelling: row.cancelling as Lease[],
  isOutdated: row.is_outdated as boolean,
  stopRequested: row.stop_requested as StopMode | null,
  settings: settingsOf(row.settings),
  nextDueAt: row.next_due_at as number | null,
});

const OWN_ROW = 'SELECT 1 FROM workers WHERE id = $1 AND condemned_at IS NULL FOR KEY SHARE';

async function act(connection: Connection, session: Session, turn: Turn): Promise<TurnResult> {
  const askedAtMs = performance.now();
  const [own, told, jobs, early] = await Promise.all([
    session.sql(OWN_ROW, [turn.worker.id]),
    session.sql(`SELECT ${WISHES}, ${now('$2')} AS now`, [turn.worker.id, connection.givenNow]),
    held(session, turn.ended),
    canClaimEarly(turn) ? claimUnlessSomeAreDue(session, turn, connection.givenNow) : NO_CLAIM,
  ]);
  if (own.rows.length === 0) return refused(turn, wishesOf(told.rows[0] ?? {}));
  const at = Number(told.rows[0]?.now);
  connection.learnTime(at, askedAtMs);
  const wishes = wishesOf(told.rows[0] ?? {});
  recordStarts(session, turn.started);
  const settled = settle(session, turn.ended, jobs, turn.policy, at);
  if (givesOthersWork(settled, turn.maxConcurrentJobs)) tellAll(connection, session);
  const isAnyDue = isDue(wishes.nextDueAt, at);
  const { rows, more, ...rest } =
    canClaimEarly(turn) && !isAnyDue
      ? { ...early, ...wishes, cancelling: wishes.cancelling.filter(isNotAmong(settled)) }
      : await claimLate(connection, session, turn, early.rows, isAnyDue, at);
  const environments = await variablesOf(connection, session, rows);
  const claimed = begin(session, turn, rows, environments);
  proveByAttempt(session, turn.worker.id, settled, claimed, at);
  return { settled, claimed, more, ...rest, known: true };
}

const refused = (turn: Turn, wishes: Wishes): TurnResult => ({
  settled: refuseAll(turn.ended),
  claimed: [],
  more: false,
  ...wishes,
  known: false,
});

/** Without waiting for what becomes of those that ended: they neither make room nor can be claimed again. */
const canClaimEarly = (turn: Turn): boolean =>
  turn.maxConcurrentJobs === null && turn.ended.every(({ ending }) => ending.outcome === 'completed');

/** With what is known of due jobs, and after the ends were written. */
async function claimLate(
  connection: Connection,
  session: Session,
  turn: Turn,
  early: readonly Row[],
  isAnyDue: boolean,
  at: number,
): Promise<Claim & Wishes> {
  const [promoted, late, told] = await Promise.all([
    isAnyDue ? promote(session, at) : { more: false },
    claimGuarded(connection, session, { ...turn, want: turn.want - early.length }, at),
    session.sql(`SELECT ${WISHES}`, [turn.worker.id]),
  ]);
  const wishes = wishesOf(told.rows[0] ?? {});
  return { rows: [...early, ...late.rows], more: promoted.more || late.more, ...wishes };
}

const isNotAmong =
  (settled: readonly Settled[]) =>
  ({ seq, number }: Lease): boolean =>
    !settled.some((one) => one.seq === seq && one.number === number);

/** A limit over all workers holds only if one counts at a time, and counts what the one before has claimed. */
async function claimGuarded(
  connection: Connection,
  session: Session,
  turn: Turn,
  at: number,
): Promise<Claim> {
  if (turn.maxConcurrentJobs === null) return claim(session, turn, at);
  const lock = lockOf(connection.target.schema, 'count running jobs');
  const [, claimed] = await Promise.all([
    session.sql('SELECT pg_advisory_xact_lock($1, $2)', lock),
    claim(session, turn, at),
  ]);
  return claimed;
}
