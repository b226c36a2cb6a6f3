// Distinct words along an index, from one to the next: it takes as many looks as there are words, however many jobs have
// each. The same in both dialects.

import { READINESS } from '../../job/readiness.ts';
import { gateParts } from './limit-rows.ts';

const distinct = (column: string, where: string, limit: string): string => `
  WITH RECURSIVE found (word) AS (
    SELECT * FROM (SELECT ${column} FROM jobs WHERE ${where} ORDER BY ${column} LIMIT 1) first_one
    UNION ALL
    SELECT (SELECT ${column} FROM jobs WHERE ${where} AND ${column} > found.word ORDER BY ${column} LIMIT 1)
    FROM found WHERE found.word IS NOT NULL)
  SELECT word FROM found WHERE word IS NOT NULL LIMIT ${limit}`;

/** `limit` is what the dialect calls its parameter. */
export const namesQuery = (limit: string): string => distinct('name', 'name IS NOT NULL', limit);

export const keyQueries = (limit: string): string[] => [
  distinct('key', `ready = ${READINESS.ready} AND key IS NOT NULL`, limit),
  distinct('key', 'locked_by IS NOT NULL AND key IS NOT NULL', limit),
  distinct('waits_at', `ready = ${READINESS.atGate} AND waits_at > 'key:' AND waits_at < 'key;'`, limit),
];

/** What the queries for keys found, in their order; gates are named after their keys. */
export function keysFrom(found: readonly (readonly string[])[], limit: number): string[] {
  const [ready = [], running = [], gates = []] = found;
  const waiting = gates.map((gate) => gateParts(gate).value);
  return [...new Set([...ready, ...running, ...waiting])].sort().slice(0, limit);
}
