// Dead jobs by what they died of, in SQL that both dialects understand. The groups come from an index alone; only then is
// one job of each looked at.

import type { Row } from '../rows/rows.ts';
import type { ErrorGroup, ErrorStep } from '../store.ts';

/** In just these words the index of dead jobs has it. */
const DEAD = "j.state = 'dead'";

/** `by`: SQL that makes a dialect use that index, if it needs a hint. */
export const groupsWhere = (where: string, limit: number, by = ''): string => `
  SELECT fingerprint, count(*) AS n, min(finished_at) AS oldest, max(finished_at) AS newest FROM jobs j ${by} WHERE ${DEAD} AND ${where}
  GROUP BY fingerprint ORDER BY n DESC, newest DESC, fingerprint LIMIT ${limit}`;

/** `from` and `stepMs` are numbers, as the dialect writes them in a statement. Both divide whole numbers to a whole one. */
export const stepsWhere = (where: string, from: string, stepMs: string, by = ''): string => `
  SELECT fingerprint, (finished_at - ${from}) / ${stepMs} AS step, count(*) AS n FROM jobs j ${by}
  WHERE ${DEAD} AND finished_at >= ${from} AND ${where} GROUP BY 1, 2`;

export const errorStepOf = ({ fingerprint, step, n }: Row): ErrorStep => ({
  fingerprint: fingerprint as string | null,
  step: Number(step),
  jobs: Number(n),
});

/** The one that died last. `same` compares the fingerprint, which may be null. */
export const exampleWhere = (where: string, same: string): string => `
  SELECT id, last_error FROM jobs j WHERE ${DEAD} AND j.fingerprint ${same} AND ${where}
  ORDER BY finished_at DESC, seq DESC LIMIT 1`;

export const errorGroupOf = (group: Row, example: Row | undefined): ErrorGroup => ({
  fingerprint: group.fingerprint as string | null,
  jobs: Number(group.n),
  oldestAt: group.oldest as number | null,
  newestAt: group.newest as number | null,
  exampleId: String(example?.id),
  exampleError: (example?.last_error ?? null) as string | null,
});
