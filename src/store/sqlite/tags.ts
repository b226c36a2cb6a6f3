// Tags, indexed for filters. Each job row has its own list too.

import type { Connection } from './connection.ts';

/** Stores the tags of the jobs after `seq`. */
export function tagNew(connection: Connection, seq: number): void {
  connection
    .sql(`
      INSERT INTO tags (tag, job_seq)
      SELECT DISTINCT value, j.seq FROM jobs j, json_each(j.tags) WHERE j.seq > ? AND j.tags IS NOT NULL`)
    .run(seq);
}

export function retag(connection: Connection, seqs: readonly number[], tags: readonly string[]): void {
  const all = JSON.stringify(seqs);
  connection.sql('DELETE FROM tags WHERE job_seq IN (SELECT value FROM json_each(?))').run(all);
  connection
    .sql('INSERT INTO tags (tag, job_seq) SELECT t.value, j.value FROM json_each(?) t, json_each(?) j')
    .run(JSON.stringify(tags), all);
}
