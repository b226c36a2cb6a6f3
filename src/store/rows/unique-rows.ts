// Unique jobs, shared by both stores: staging columns, and the query for conflicting jobs. Jobs without a key cost
// nothing.

import { NON_FINAL_STATES, STATES, type NewJob } from '../../job/job.ts';
import { type Candidate, type Existing, IN_THE_WAY } from '../../job/flow/unique.ts';
import { quoted, type Row } from './rows.ts';

/** Additional columns of the staging table, which are dropped when the jobs are stored. */
export const UNIQUE_TYPES = { unique_while: 'text', unique_ms: 'bigint', if_exists: 'text' } as const;
export const UNIQUE_COLUMNS: readonly string[] = Object.keys(UNIQUE_TYPES);

export const uniqueValues = ({ uniqueKey, uniqueFor, ifExists }: NewJob): (string | number | null)[] => {
  if (uniqueKey === null) return [null, null, null];
  const isPeriod = typeof uniqueFor === 'number';
  const period = isPeriod ? Math.round(uniqueFor * 1000) : null;
  return [isPeriod ? null : (uniqueFor ?? 'waiting'), period, ifExists ?? 'skip'];
};

interface Dialect {
  /** Column that numbers the rows of the source. */
  readonly position: string;
  /** The unique key, in a form that can be compared with the column of jobs. */
  readonly key: string;
}

/**
 * Selects the new jobs whose key another new or existing job has, with a row for each existing one. `source` has one
 * row per job. All states are listed so that the index by key and state is used.
 */
export const inTheWay = (source: string, now: string, { position, key }: Dialect): string => `
  WITH given AS (
    SELECT ${position} AS position, id, ${key} AS unique_key, unique_while, unique_ms, if_exists FROM ${source}
    WHERE unique_key IS NOT NULL)
  SELECT s.position, s.id, s.unique_key, s.if_exists, e.seq AS other_seq, e.id AS other_id
    FROM given s JOIN jobs e ON e.unique_key = s.unique_key AND e.state IN (${quoted(NON_FINAL_STATES)})
    WHERE (s.unique_while = 'unfinished' AND e.state IN (${quoted(IN_THE_WAY.unfinished)}))
      OR (s.unique_while = 'waiting' AND e.state IN (${quoted(IN_THE_WAY.waiting)}))
  UNION ALL
  SELECT s.position, s.id, s.unique_key, s.if_exists, e.seq, e.id
    FROM given s JOIN jobs e ON e.unique_key = s.unique_key AND e.state IN (${quoted(STATES)})
      AND e.created_at > ${now} - s.unique_ms
    WHERE s.unique_ms IS NOT NULL
  UNION ALL
  SELECT s.position, s.id, s.unique_key, s.if_exists, NULL, NULL FROM given s
    WHERE s.unique_key IN (SELECT unique_key FROM given GROUP BY unique_key HAVING count(*) > 1)
  ORDER BY 1, 5`;

/** Expects rows sorted by position. */
export function candidatesOf(rows: readonly Row[]): Candidate[] {
  return [...Map.groupBy(rows, ({ position }) => Number(position))].map(([position, own]) => ({
    position,
    id: String(own[0]?.id),
    uniqueKey: String(own[0]?.unique_key),
    ifExists: own[0]?.if_exists as Candidate['ifExists'],
    inTheWay: own.flatMap(existingIn),
  }));
}

const existingIn = (row: Row): Existing[] =>
  row.other_seq === null ? [] : [{ seq: Number(row.other_seq), id: String(row.other_id) }];
