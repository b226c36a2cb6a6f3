// Admission of unique jobs: the transaction that inserts them decides which ones are left out, and cancels those that they
// replace. Other transactions with the same unique key wait: keys are locked by hash, in the order of the hashes, before any
// job is looked up. There are few such locks, because a server has space for few.

import { isFinal, type JobState, type NewJob } from '../../job/job.ts';
import { decideUnique, insteadOf, type LeftOut, type Replaced, replacedBy } from '../../job/flow/unique.ts';
import { redirected, withRedirected } from '../rows/dependency-rows.ts';
import { candidatesOf, inTheWay, UNIQUE_COLUMNS, uniqueValues } from '../rows/unique-rows.ts';
import { cancelJobs } from './change.ts';
import type { Connection, Session } from './session/connection.ts';
import { lockOf } from './session/names.ts';
import { columnsOf, now } from './rows.ts';

const LOCKS = 512;
const DIALECT = { position: 'position', key: 'unique_key COLLATE "C"' };

const lockKeys = (source: string, first: number): string => `
  SELECT pg_advisory_xact_lock($${first}::int, number) FROM (
    SELECT DISTINCT mod(abs(hashtext(unique_key)::bigint), ${LOCKS})::int AS number FROM ${source}
    WHERE unique_key IS NOT NULL ORDER BY 1) locks`;

/** A table expression with the jobs, and the parameters in it, which come first. */
interface UniqueSource {
  readonly from: string;
  readonly values: readonly unknown[];
}

interface Admitted {
  readonly leftOut: readonly LeftOut[];
  /** The ID of the existing job by the ID of each job that was left out. */
  readonly instead: ReadonlyMap<string, string>;
}

async function admitUnique(
  connection: Connection,
  session: Session,
  { from, values }: UniqueSource,
): Promise<Admitted> {
  const next = values.length + 1;
  const [lock] = lockOf(connection.target.schema, 'let unique jobs in');
  await session.sql(lockKeys(from, next), [...values, lock]);
  const { rows } = await session.sql(inTheWay(from, now(`$${next}`), DIALECT), [...values, connection.givenNow]);
  const { leftOut, replaced } = decideUnique(candidatesOf(rows));
  if (replaced.length > 0) await replaceAll(connection, session, replaced);
  return { leftOut, instead: insteadOf(leftOut) };
}

const LOCK_JOBS = 'SELECT seq, state FROM jobs WHERE seq = ANY($1::bigint[]) ORDER BY seq FOR UPDATE';
const EXPLAIN = `
  UPDATE jobs SET last_error = given.reason FROM unnest($1::bigint[], $2::text[]) AS given (seq, reason)
  WHERE jobs.seq = given.seq`;

/** Skips jobs that have finished. */
async function replaceAll(connection: Connection, session: Session, replaced: readonly Replaced[]): Promise<void> {
  const { rows } = await session.sql(LOCK_JOBS, [replaced.map(({ seq }) => seq)]);
  const left = rows
    .map((row) => ({ seq: Number(row.seq), state: row.state as JobState }))
    .filter(({ state }) => !isFinal(state));
  const reasons = new Map(replaced.map(({ seq, by }) => [seq, replacedBy(by)]));
  await cancelJobs(connection, session, left);
  const cells = left.map(({ seq }) => [seq, reasons.get(seq)]);
  await session.sql(EXPLAIN, columnsOf(cells, 2));
}

export interface AdmittedJobs {
  readonly jobs: readonly NewJob[];
  readonly instead: ReadonlyMap<string, string>;
}

const UNIQUE_GIVEN = `unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[])
  AS given (position, id, unique_key, ${UNIQUE_COLUMNS.join(', ')})`;

/** Leaves out unique jobs that already exist. Their dependents depend on the existing jobs instead. */
export async function admitted(
  connection: Connection,
  session: Session,
  jobs: readonly NewJob[],
): Promise<AdmittedJobs> {
  if (jobs.every(({ uniqueKey }) => uniqueKey === null)) return { jobs, instead: new Map() };
  const rows = jobs.map((job, i) => [i, job.id, job.uniqueKey, ...uniqueValues(job)]);
  const source = { from: UNIQUE_GIVEN, values: columnsOf(rows, 6) };
  const { leftOut, instead } = await admitUnique(connection, session, source);
  const positions = new Set(leftOut.map(({ position }) => position));
  const left = jobs.filter((_, i) => !positions.has(i));
  return { jobs: left.map((job) => withRedirected(job, instead)), instead };
}

const remove = (staged: string): string => `DELETE FROM ${staged} WHERE position = ANY($1::bigint[])`;
const waiting = (staged: string): string => `SELECT position, depends_on FROM ${staged} WHERE depends_on IS NOT NULL`;
const redirect = (staged: string): string => `
  UPDATE ${staged} SET depends_on = given.depends_on
  FROM unnest($1::bigint[], $2::text[]) AS given (position, depends_on) WHERE staged.position = given.position`;

/** Deletes unique jobs that already exist from the table. The transaction may be repeated. */
export async function leaveOut(
  connection: Connection,
  session: Session,
  staged: string,
  instead: Map<string, string>,
): Promise<void> {
  const found = await admitUnique(connection, session, { from: staged, values: [] });
  instead.clear();
  if (found.leftOut.length === 0) return;
  for (const [id, other] of found.instead) instead.set(id, other);
  await session.sql(remove(staged), [found.leftOut.map(({ position }) => position)]);
  const { rows } = await session.sql(waiting(staged));
  const changed = rows.map((row) => [row.position, redirected(row, instead)]).filter(([, text]) => text !== null);
  if (changed.length > 0) await session.sql(redirect(staged), columnsOf(changed, 2));
}
