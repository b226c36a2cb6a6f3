// The statement that inserts new jobs, the proof that they were inserted, and the error for an ID that exists.

import { QueueError } from '../../errors/errors.ts';
import { BLOCKED_STATE, FIRST_STATE } from '../../job/fresh-job.ts';
import type { NewJob } from '../../job/job.ts';
import { firstGateAt, firstReady, firstReadyAtGate, firstRunAt } from '../sql/due.ts';
import { IS_GATED } from '../rows/limit-rows.ts';
import { columnTypes, FLOW_COLUMNS, flowValues, NEW_JOB_COLUMNS, newJobValues } from '../rows/new-job-rows.ts';
import { UNIQUE_COLUMNS, UNIQUE_TYPES } from '../rows/unique-rows.ts';
import { type Connection, LONG_MS } from './session/connection.ts';
import { isUniqueViolation } from './session/failures.ts';
import { columnsOf, now } from './rows.ts';

export const COLUMNS: readonly string[] = NEW_JOB_COLUMNS;
export const ALL_COLUMNS: readonly string[] = [...NEW_JOB_COLUMNS, ...FLOW_COLUMNS];
export const STAGED_COLUMNS: readonly string[] = [...ALL_COLUMNS, ...UNIQUE_COLUMNS];
const TYPES: Readonly<Record<string, string>> = { ...columnTypes(), ...UNIQUE_TYPES };
export const typeOf = (column: string): string => TYPES[column] ?? 'text';
/** Rows in the order of the arrays. */
export const given = (columns: readonly string[]): string =>
  `unnest(${columns.map((name, i) => `$${i + 1}::${typeOf(name)}[]`).join(', ')}) AS given (${columns.join(', ')})`;

/** The ID and the command differ between the jobs of a batch; the other common columns usually do not. */
const OWN = 2;

/** Rows as `given`, for jobs that differ only in the first columns: the other values are sent once, not in arrays. */
const givenAlike = (columns: readonly string[]): string => {
  const own = columns.slice(0, OWN);
  const shared = columns.slice(OWN).map((name, i) => `$${OWN + i + 1}::${typeOf(name)} AS ${name}`);
  return `(SELECT ${[...own, ...shared].join(', ')} FROM ${given(own)}) given`;
};

/** Inserts jobs in the order of the source, which seq follows. OFFSET 0 makes the clock be read once. */
export const insertFrom = (source: string, columns: readonly string[], time: string, environment: string): string => {
  const isFlow = columns === ALL_COLUMNS;
  const waits = (blocked: string, free: string): string =>
    isFlow ? `CASE WHEN depends_on IS NULL THEN ${free} ELSE ${blocked} END` : free;
  return `
    INSERT INTO jobs (${columns.join(', ')}, environment_id, state, ready, next_run_at, created_at, updated_at
      ${isFlow ? ', waits_at, gated' : ''})
    SELECT ${columns.join(', ')}, ${environment}::bigint, ${waits(`'${BLOCKED_STATE}'`, `'${FIRST_STATE}'`)},
      ${waits('0', isFlow ? firstReadyAtGate('t.now') : firstReady('t.now'))},
      ${waits('NULL', firstRunAt('t.now', 'greatest'))}, t.now, t.now
      ${isFlow ? `, ${waits('NULL', firstGateAt('t.now'))}, ${IS_GATED}` : ''}
    FROM ${source}, (SELECT ${now(time)} AS now OFFSET 0) t`;
};

/** Inserts jobs from arrays, one for each column, followed by the time and the environment. */
export const insertGiven = (columns: readonly string[], source = given(columns)): string =>
  insertFrom(source, columns, `$${columns.length + 1}`, `$${columns.length + 2}`);
export const INSERT_FLOW = `${insertGiven(ALL_COLUMNS)} RETURNING created_at, seq, id, group_name, depends_on, waits_at`;

const insertPlain = (source?: string): string => `
  WITH added AS (${insertGiven(COLUMNS, source)} RETURNING created_at)
  SELECT created_at FROM added LIMIT 1`;
const INSERT_PLAIN = insertPlain();
const INSERT_ALIKE = insertPlain(givenAlike(COLUMNS));

/** Returns the statement that inserts plain jobs, and its first values. */
export function plainInsert(jobs: readonly NewJob[]): [statement: string, values: unknown[]] {
  const rows = jobs.map(newJobValues);
  const [first = []] = rows;
  const areAlike = rows.every((row) => row.every((value, i) => i < OWN || value === first[i]));
  if (!areAlike) return [INSERT_PLAIN, columnsOf(rows, COLUMNS.length)];
  return [INSERT_ALIKE, [...columnsOf(rows, OWN), ...first.slice(OWN)]];
}

export const wholeValues = (job: NewJob) => [...newJobValues(job), ...flowValues(job)];

/** Jobs are inserted all together or not at all, so one of them is enough. created_at excludes a later job with the same ID. */
export const WAS_ENQUEUED = 'SELECT 1 FROM jobs WHERE id = ANY($1::text[]) AND created_at = $2 LIMIT 1';

/** If the job with the same ID no longer exists when it is looked up, it was deleted meanwhile: try again. */
const TRIES = 5;

export async function checkingIds<T>(work: () => Promise<T>, clash: () => Promise<QueueError | null>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const taken = await clash();
      if (taken || tries === TRIES) throw taken ?? error;
    }
  }
}

/** An error for the first job whose ID exists, or occurs earlier in the same batch. */
export async function firstTaken(
  connection: Connection,
  source: string,
  values: readonly unknown[],
): Promise<QueueError | null> {
  const { rows } = await connection.query(
    `SELECT id, position FROM (
       SELECT id, position, row_number() OVER (PARTITION BY id ORDER BY position) AS nth FROM ${source}) one
     WHERE nth > 1 OR EXISTS (SELECT 1 FROM jobs WHERE jobs.id = one.id COLLATE "C")
     ORDER BY position LIMIT 1`,
    values,
    LONG_MS,
  );
  const [row] = rows;
  return row ? new QueueError('job_exists', { id: String(row.id), position: Number(row.position) }) : null;
}
