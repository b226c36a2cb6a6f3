// A hold on a queue that is being moved: an advisory lock on a separate connection. Registering a worker briefly takes the same
// lock, shared. So workers that registered earlier are visible to the mover, and no worker registers later.
// The lock ends with the connection, so a mover that has died blocks nothing.

import type pg from 'pg';
import { QueueError } from '../../errors/errors.ts';
import type { Hold } from '../store.ts';
import { destroy, endClient, openClient } from './session/client.ts';
import { translate } from './session/failures.ts';
import { lockOf } from './session/names.ts';
import type { Target } from './session/target.ts';
import { execute, type Session } from './session/transaction.ts';

/** Long enough for workers that are just registering, but too short for another move. */
const WAIT_MS = 2000;
const LOOK_AGAIN_MS = 50;
const ANSWER_WITHIN_MS = 10_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function hold(target: Target): Promise<Hold> {
  let client: pg.Client | null = null;
  try {
    ({ client } = await openClient(target, target.connectTimeoutMs));
    if (!(await lockSoon(client, target))) throw moving(target);
    return holdOn(client);
  } catch (error) {
    if (client) await endClient(client);
    throw translate(error, target.name);
  }
}

const holdOn = (client: pg.Client): Hold => ({
  isHeld: async () => {
    try {
      return await answerTo(client, 'SELECT $1::boolean AS yes', [true]);
    } catch {
      destroy(client);
      return false;
    }
  },
  release: () => endClient(client),
});

async function lockSoon(client: pg.Client, target: Target): Promise<boolean> {
  const lock = lockOf(target.schema, 'move');
  for (const began = performance.now(); ; await sleep(LOOK_AGAIN_MS)) {
    if (await answerTo(client, 'SELECT pg_try_advisory_lock($1, $2) AS yes', lock)) return true;
    if (performance.now() - began > WAIT_MS) return false;
  }
}

async function answerTo(client: pg.Client, text: string, values: readonly unknown[]): Promise<boolean> {
  const { rows } = await execute(client, text, values, ANSWER_WITHIN_MS);
  return rows[0]?.yes as boolean;
}

/** Called in the transaction that registers a worker. */
export async function rejectWhileMoving(session: Session, target: Target): Promise<void> {
  const lock = lockOf(target.schema, 'move');
  const { rows } = await session.sql('SELECT pg_try_advisory_xact_lock_shared($1, $2) AS got', lock);
  if (!rows[0]?.got) throw moving(target);
}

const moving = ({ name }: Target): QueueError => new QueueError('queue_moving', { path: name });
