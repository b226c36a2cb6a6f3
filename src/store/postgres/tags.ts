// Tags. The row of a job contains its tags; the table finds jobs by tag.

import type { Session } from './session/connection.ts';

const EACH_TAG = 'CROSS JOIN LATERAL json_array_elements_text(given.tags::json) AS t (tag)';

/** For new jobs, which have no tags in the table yet. */
export function tagNew(session: Session, ids: readonly string[]): void {
  session.send(
    `INSERT INTO tags (tag, job_seq) SELECT DISTINCT t.tag, given.seq FROM jobs given ${EACH_TAG}
     WHERE given.id = ANY($1::text[]) AND given.tags IS NOT NULL`,
    [ids],
  );
}

/** For new jobs that were staged in this table and are still in it. */
export function tagStaged(session: Session, table: string): void {
  session.send(
    `INSERT INTO tags (tag, job_seq) SELECT DISTINCT t.tag, j.seq FROM ${table} given ${EACH_TAG}
     JOIN jobs j ON j.id = given.id COLLATE "C" WHERE given.tags IS NOT NULL`,
  );
}

export function retag(session: Session, seqs: readonly number[], tags: readonly string[]): void {
  session.send('DELETE FROM tags WHERE job_seq = ANY($1::bigint[])', [seqs]);
  session.send(
    `INSERT INTO tags (tag, job_seq)
     SELECT t.tag, j.seq FROM unnest($1::text[]) AS t (tag), unnest($2::bigint[]) AS j (seq)`,
    [tags, seqs],
  );
}
