// One turn of a worker's loop in one transaction: settle what ended, promote what is due, claim what fits.
// A turn that would change nothing writes nothing.

import type { Lease, Settled, StopMode, Turn, TurnResult } from '../store.ts';
import { claim, hasReady, nextDueAt, promote } from './claim.ts';
import type { Connection } from './connection.ts';
import { foundVersion, SCHEMA_VERSION } from './migrate.ts';
import { readSettings } from './settings.ts';
import { recordStart, settle } from './settle.ts';

export async function takeTurn(connection: Connection, turn: Turn, now: number): Promise<TurnResult> {
  connection.checkStillThere();
  const idle = turn.started.length === 0 && turn.ended.length === 0;
  const seen = idle ? await connection.read(() => look(connection, turn, now)) : null;
  return seen ?? connection.write(() => act(connection, turn, now));
}

/** What there is to know when there is nothing to do; null when there is something. */
function look(connection: Connection, turn: Turn, now: number): TurnResult | null {
  const due = nextDueAt(connection);
  if (due !== null && due <= now) return null;
  if (turn.want > 0 && hasReady(connection, turn)) return null;
  return { ...NOTHING, nextDueAt: due, ...wishes(connection, turn) };
}

const NOTHING = { settled: [], claimed: [], more: false } as const;

/** What a worker tells that was given up is not taken: somebody else speaks for its jobs. */
const lost = ({ seq, number }: Lease): Settled => ({ seq, number, state: null });

function act(connection: Connection, turn: Turn, now: number): TurnResult {
  const told = wishes(connection, turn);
  if (!told.known)
    return { ...NOTHING, settled: turn.ended.map(lost), nextDueAt: nextDueAt(connection), ...told };
  for (const start of turn.started) recordStart(connection, start);
  const settled = turn.ended.map((ended) => settle(connection, ended, turn.policy, now));
  const due = nextDueAt(connection);
  const { more } = due !== null && due <= now ? promote(connection, now) : { more: false };
  const wished = wishes(connection, turn);
  const mayClaim = wished.known && !wished.isOutdated && wished.stopRequested === null;
  const claimed = mayClaim ? claim(connection, turn, now) : [];
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
