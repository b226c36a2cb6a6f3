// What both stores share about unique jobs: the columns they wait with until they are let in, and the query for
// jobs that are in their way. It costs nothing for jobs without a key.

import { NON_FINAL_STATES, STATES, type NewJob } from '../../job/job.ts';
import { type Candidate, type Existing, IN_THE_WAY } from '../../job/flow/unique.ts';
import { quoted, type Row } from './rows.ts';

/** Beside those of the job: what is forgotten once it is in. */
export const UNIQUE_TYPES = { unique_while: 'text', unique_ms: 'bigint', if_exists: 'text' } as const;
export const UNIQUE_COLUMNS: readonly string[] = Object.keys(UNIQUE_TYPES);

export const uniqueValues = ({ uniqueKey, uniqueFor, ifExists }: NewJob): (string | number | null)[] => {
  if (uniqueKey === null) return [null, null, null];
  const isPeriod = typeof uniqueFor === 'number';
  const period = isPeriod ? Math.round(uniqueFor * 1000) : null;
  return [isPeriod ? null : (uniqueFor ?? 'waiting'), period, ifExists ?? 'skip'];
};

interface Dialect {
  /** What numbers the rows of the source. */
  readonly position: string;
  /** The key, so that it can be compared with those of jobs. */
  readonly key: string;
}

/**
 * The new jobs with a key that others have too, here or on their way in, a row for each of those that are here.
 * `source` has a job a row; every state is named, so that the index by key and state finds them.
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

/** In the order of their positions, as the rows are. */
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
