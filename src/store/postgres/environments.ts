// Environments of the shells that jobs were enqueued from. Each is stored once and kept while a job refers to it.
// A transaction that will refer to an environment first locks it against removal. A removal also takes the lock first, and
// checks only then whether a job refers to the environment.

import type { NewEnvironment, Variables } from '../../job/environment/environment.ts';
import type { Row } from '../rows/rows.ts';
import type { Connection, Session } from './session/connection.ts';
import { lockFor } from './session/exclusive.ts';
import type { WriteOptions } from './session/transaction.ts';

const FIND = `
  SELECT id FROM environments WHERE hash = $1 AND variables = $2 ORDER BY id LIMIT 1 FOR KEY SHARE`;
const ADD = 'INSERT INTO environments (hash, variables) VALUES ($1, $2) RETURNING id';

const TRIES = 3;
/** Rolls back a transaction that needs an environment which is not stored yet. */
const NOT_STORED = new Error('the environment is not stored yet');

/**
 * Does `work` in one transaction, with the ID of an environment that is kept until its end. A new environment is first added in
 * a separate, short transaction: transactions that add one wait for each other, and `work` may take long.
 */
export async function writeWith<T>(
  connection: Connection,
  environment: NewEnvironment | null,
  work: (session: Session, environmentId: number | null) => Promise<T>,
  options?: WriteOptions,
): Promise<T> {
  if (environment === null) return connection.write((session) => work(session, null), options);
  for (let tries = 1; ; tries++) {
    const isLast = tries === TRIES; // it was removed again each time: better to store it twice than not at all
    try {
      return await connection.write(async (session) => {
        const id = await (isLast ? findOrAdd : find)(session, environment);
        if (id === null) throw NOT_STORED;
        return work(session, id);
      }, options);
    } catch (error) {
      if (error !== NOT_STORED) throw error;
    }
    await connection.write((session) => addOnce(connection, session, environment), { isRepeatable: true });
  }
}

async function find(session: Session, { hash, text }: NewEnvironment): Promise<number | null> {
  const { rows } = await session.sql(FIND, [hash, text]);
  return rows[0] ? Number(rows[0].id) : null;
}

export async function findOrAdd(session: Session, environment: NewEnvironment): Promise<number> {
  const found = await find(session, environment);
  if (found !== null) return found;
  const { rows } = await session.sql(ADD, [environment.hash, environment.text]);
  return Number(rows[0]?.id);
}

/** One at a time: concurrent transactions would store the same environment twice. */
async function addOnce(connection: Connection, session: Session, environment: NewEnvironment): Promise<void> {
  lockFor(connection, session, 'add an environment');
  await findOrAdd(session, environment);
}

const TEXTS = 'SELECT id, variables FROM environments WHERE id = ANY($1::bigint[])';

/** Returns texts by ID. */
export async function textsOf(session: Session, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await session.sql(TEXTS, [[...new Set(ids)]]);
  return new Map(rows.map((row) => [Number(row.id), String(row.variables)]));
}

/** The environments of claimed jobs by ID. Only those that are not cached are queried. */
export async function variablesOf(
  connection: Connection,
  session: Session,
  rows: readonly Row[],
): Promise<ReadonlyMap<number, Variables>> {
  const found = new Map<number, Variables>();
  const unknown: number[] = [];
  for (const id of idsIn(rows)) {
    const known = connection.environments.get(id);
    if (known) found.set(id, known);
    else unknown.push(id);
  }
  for (const [id, text] of await textsOf(session, unknown)) found.set(id, connection.environments.add(id, text));
  return found;
}

export const idsIn = (rows: readonly Row[]): number[] =>
  rows.flatMap((row) => (row.environment_id === null ? [] : [Number(row.environment_id)]));
