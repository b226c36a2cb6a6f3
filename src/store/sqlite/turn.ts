// One turn of a worker's loop in one transaction: settle what ended, promote what is due, claim what fits.
// A turn that would change nothing writes nothing.

import { isDue } from '../../job/due.ts';
import type { Lease, StopMode, Turn, TurnResult } from '../store.ts';
import { hasReport, mayClaim, refuseAll } from '../turn-rules.ts';
import { claim, hasReady, nextDueAt, promote } from './claim.ts';
import type { Connection } from './connection.ts';
import { foundVersion, SCHEMA_VERSION } from './migrate.ts';
import { readSettings } from './settings.ts';
import { recordStart, settle } from './settle.ts';

export async function takeTurn(connection: Connection, turn: Turn, now: number): Promise<TurnResult> {
  connection.checkStillThere();
  const seen = hasReport(turn) ? null : await connection.read(() => look(connection, turn, now));
  return seen ?? connection.write(() => act(connection, turn, now));
}

/** What there is to know when there is nothing to do; null when there is something. */
function look(connection: Connection, turn: Turn, now: number): TurnResult | null {
  const due = nextDueAt(connection);
  if (isDue(due, now)) return null;
  if (turn.want > 0 && hasReady(connection, turn)) return null;
  return { ...NOTHING, nextDueAt: due, ...wishes(connection, turn) };
}

const NOTHING = { settled: [], claimed: [], more: false } as const;

function act(connection: Connection, turn: Turn, now: number): TurnResult {
  const told = wishes(connection, turn);
  if (!told.known)
    return { ...NOTHING, settled: refuseAll(turn.ended), nextDueAt: nextDueAt(connection), ...told };
  for (const start of turn.started) recordStart(connection, start);
  const settled = turn.ended.map((ended) => settle(connection, ended, turn.policy, now));
  const due = nextDueAt(connection);
  const { more } = isDue(due, now) ? promote(connection, now) : { more: false };
  const wished = wishes(connection, turn);
  const claimed = mayClaim(wished) ? claim(connection, turn, now) : [];
  return { settled, claimed, more, nextDueAt: nextDueAt(connection), ...wished };
}

type Wishes = Pick<TurnResult, 'known' | 'cancelling' | 'isOutdated' | 'stopRequested' | 'settings'>;

function wishes(connection: Connection, turn: Turn): Wishes {
  const worker = connection
    .sql('SELECT stop_requested FROM workers WHERE id = ? AND condemned_at IS NULL')
    .get(turn.worker.id);
  const cancelling = connection
    .sql(`SELECT seq, runs AS number FROM jobs WHERE locked_by = ? AND cancel_requested_at IS NOT NULL`)
    .all(turn.worker.id) as unknown as Lease[];
  return {
    known: worker !== undefined,
    cancelling,
    isOutdated: foundVersion(connection) > SCHEMA_VERSION,
    stopRequested: (worker?.stop_requested ?? null) as StopMode | null,
    settings: readSettings(connection),
  };
}
