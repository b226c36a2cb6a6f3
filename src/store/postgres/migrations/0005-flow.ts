// What jobs may wait for and belong to: as in SQLite, and as it says there.
//
// The triggers of before count groups too, and record ends that somebody may follow. A statement without any such job pays
// one look at its rows. The row of a group is share-locked before it is asked whether it is followed: whoever begins to
// follow it waits for the end of this transaction, or this one learns of it.

import type { Migration } from '../../sql/migration.ts';
import { quotedName, quotedText } from '../session/names.ts';

export const flow: Migration = {
  version: 5,
  name: 'flow',
  sql: (schema) => `
    ALTER TABLE jobs
      ADD COLUMN name text COLLATE "C",
      ADD COLUMN group_name text COLLATE "C",
      ADD COLUMN depends_on text,
      ADD COLUMN on_dependency_failure text,
      ADD COLUMN followed smallint NOT NULL DEFAULT 0,
      ADD COLUMN held text,
      ADD COLUMN waits_at text COLLATE "C",
      ADD COLUMN key text COLLATE "C",
      ADD COLUMN key_concurrency bigint,
      ADD COLUMN weight bigint,
      ADD COLUMN gated smallint NOT NULL DEFAULT 0,
      ADD COLUMN unique_key text COLLATE "C",
      ADD COLUMN tags text,
      ADD COLUMN outcome_rules text,
      ADD COLUMN stdin_bytes bigint,
      ADD COLUMN hooks text,
      ADD COLUMN hook_of text COLLATE "C",
      ADD COLUMN schedule text COLLATE "C",
      ADD COLUMN scheduled_at bigint,
      ADD COLUMN snoozes bigint NOT NULL DEFAULT 0,
      ADD COLUMN progress double precision,
      ADD COLUMN progress_note text,
      ADD COLUMN result text,
      ADD COLUMN fingerprint text COLLATE "C";

    CREATE INDEX jobs_name ON jobs (name, seq) WHERE name IS NOT NULL;
    CREATE INDEX jobs_group ON jobs (group_name, state, seq) WHERE group_name IS NOT NULL;
    CREATE INDEX jobs_unique ON jobs (unique_key, state, created_at) WHERE unique_key IS NOT NULL;
    CREATE INDEX jobs_schedule ON jobs (schedule, state, seq) WHERE schedule IS NOT NULL;
    CREATE INDEX jobs_tick ON jobs (schedule, scheduled_at) WHERE schedule IS NOT NULL;
    CREATE INDEX jobs_fingerprint ON jobs (fingerprint, finished_at) WHERE state = 'dead';
    CREATE INDEX jobs_held ON jobs (queue) WHERE ready = 2;
    CREATE INDEX jobs_at_gate ON jobs (waits_at, queue, priority DESC, seq) WHERE ready = 3;
    CREATE INDEX jobs_ready_gated ON jobs (queue) WHERE ready = 1 AND gated = 1;
    CREATE INDEX jobs_ready_key ON jobs (key, queue) WHERE ready = 1 AND key IS NOT NULL;
    CREATE INDEX jobs_running_key ON jobs (key) WHERE locked_by IS NOT NULL AND key IS NOT NULL;
    CREATE INDEX jobs_ready_group ON jobs (group_name, queue) WHERE ready = 1 AND group_name IS NOT NULL;
    CREATE INDEX jobs_running_group ON jobs (group_name) WHERE locked_by IS NOT NULL AND group_name IS NOT NULL;

    CREATE TABLE dependencies (
      job_seq bigint NOT NULL,
      position bigint NOT NULL,
      kind text NOT NULL,
      parent text COLLATE "C" NOT NULL,
      parent_seq bigint,
      rule text NOT NULL,
      outcome text,
      PRIMARY KEY (job_seq, position)
    );
    CREATE INDEX dependencies_parent ON dependencies (parent_seq) WHERE parent_seq IS NOT NULL;
    CREATE INDEX dependencies_on_job ON dependencies (parent_seq) WHERE outcome IS NULL AND kind = 'job';
    CREATE INDEX dependencies_group ON dependencies (parent) WHERE kind = 'group';
    CREATE INDEX dependencies_on_group ON dependencies (parent) WHERE outcome IS NULL AND kind = 'group';

    CREATE TABLE endings (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      job_seq bigint,
      group_name text COLLATE "C",
      outcome text,
      run bigint
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

    CREATE TABLE groups (
      name text COLLATE "C" PRIMARY KEY,
      concurrency bigint,
      followed smallint NOT NULL DEFAULT 0,
      hooks text,
      hooked_up_to bigint NOT NULL DEFAULT 0,
      created_at bigint NOT NULL
    );

    CREATE TABLE group_counters (
      group_name text COLLATE "C" NOT NULL,
      state text COLLATE "C" NOT NULL,
      n bigint NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
    CREATE INDEX group_counters_group ON group_counters (group_name);

    CREATE TABLE tags (
      tag text COLLATE "C" NOT NULL,
      job_seq bigint NOT NULL,
      PRIMARY KEY (tag, job_seq)
    );
    CREATE INDEX tags_of_job ON tags (job_seq);

    CREATE TABLE stdins (
      job_seq bigint PRIMARY KEY,
      data bytea NOT NULL
    );

    CREATE TABLE queue_limits (
      queue text COLLATE "C" PRIMARY KEY,
      paused_at bigint,
      draining_at bigint,
      concurrency bigint,
      rate_per_second double precision,
      burst bigint,
      not_before double precision,
      hooks text
    );

    CREATE TABLE schedules (
      name text COLLATE "C" PRIMARY KEY,
      spec text NOT NULL,
      job text NOT NULL,
      environment_id bigint,
      paused_at bigint,
      next_at bigint,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL
    );
    CREATE INDEX schedules_environment ON schedules (environment_id) WHERE environment_id IS NOT NULL;
    CREATE INDEX schedules_next ON schedules (next_at) WHERE next_at IS NOT NULL AND paused_at IS NULL;

    CREATE TABLE ticks (
      schedule text COLLATE "C" NOT NULL,
      tick_at bigint NOT NULL,
      outcome text NOT NULL,
      reason text,
      job_id text COLLATE "C",
      decided_at bigint NOT NULL,
      PRIMARY KEY (schedule, tick_at)
    );

    CREATE TABLE freed_gates (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      gate text COLLATE "C" NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

    ${redefine(
      schema,
      'count_inserted',
      'SELECT queue, state, count(*) FROM fresh GROUP BY queue, state',
      `IF EXISTS (SELECT 1 FROM fresh WHERE group_name IS NOT NULL) THEN
         INSERT INTO @.group_counters SELECT group_name, state, count(*) FROM fresh
           WHERE group_name IS NOT NULL GROUP BY group_name, state;
       END IF;`,
    )}
    ${redefine(
      schema,
      'count_deleted',
      'SELECT queue, state, -count(*) FROM gone GROUP BY queue, state',
      `IF EXISTS (SELECT 1 FROM gone WHERE followed = 1 OR group_name IS NOT NULL) THEN
         INSERT INTO @.group_counters SELECT group_name, state, -count(*) FROM gone
           WHERE group_name IS NOT NULL GROUP BY group_name, state;
         INSERT INTO @.endings (job_seq, outcome) SELECT seq, 'deleted' FROM gone
           WHERE followed = 1 AND state NOT IN ('completed', 'dead', 'cancelled');
         ${followedGroups(`SELECT group_name FROM gone WHERE state NOT IN ('completed', 'dead', 'cancelled')`)}
       END IF;
       ${freedGates('FROM gone past WHERE gated = 1 AND ready = 1', 'gone')}`,
    )}
    ${countMoved(schema, 'past.key IS DISTINCT FROM fresh.key')}
  `,
};

/** `leaves`: when a job that stays ready leaves the slot that it had, as SQL over `past` and `fresh`. */
export const countMoved = (schema: string, leaves: string): string =>
  redefine(
    schema,
    'count_moved',
    `SELECT queue, state, sum(n) FROM (
     SELECT queue, state, 1 AS n FROM fresh UNION ALL SELECT queue, state, -1 FROM gone) moved
   GROUP BY queue, state HAVING sum(n) <> 0`,
    `IF EXISTS (SELECT 1 FROM fresh WHERE group_name IS NOT NULL) THEN
     INSERT INTO @.group_counters SELECT group_name, state, sum(n) FROM (
         SELECT group_name, state, 1 AS n FROM fresh UNION ALL SELECT group_name, state, -1 FROM gone) moved
       WHERE group_name IS NOT NULL GROUP BY group_name, state HAVING sum(n) <> 0;
     ${followedGroups(`SELECT group_name FROM fresh WHERE state IN ('completed', 'dead', 'cancelled')`)}
   END IF;
   IF EXISTS (SELECT 1 FROM fresh WHERE state IN ('completed', 'dead', 'cancelled') AND ${MAY_HAVE_FOLLOWERS}) THEN
     INSERT INTO @.endings (job_seq, outcome, run)
       SELECT fresh.seq, fresh.state, fresh.runs FROM fresh JOIN gone USING (seq)
       WHERE fresh.state <> gone.state AND fresh.state IN ('completed', 'dead', 'cancelled')
         AND ${MAY_HAVE_FOLLOWERS};
   END IF;

   ${freedGates(
     `FROM gone past JOIN fresh USING (seq) WHERE past.gated = 1 AND fresh.locked_by IS NULL
       AND (past.locked_by IS NOT NULL
         OR (past.ready = 1 AND (fresh.ready <> 1 OR ${leaves})))`,
     'gone',
   )}`,
  );

/** Whether a job that has ended is waited for, or has hooks: its own, those of its queue, or those of all. */
const MAY_HAVE_FOLLOWERS = `(fresh.followed = 1 OR fresh.hooks IS NOT NULL OR fresh.hook_of IS NULL AND (
  EXISTS (SELECT 1 FROM @.settings WHERE key IN ('on_success', 'on_failure', 'on_dead'))
  OR EXISTS (SELECT 1 FROM @.queue_limits q WHERE q.queue = fresh.queue AND q.hooks IS NOT NULL)))`;

/** Two statements: the second one sees what the lock of the first waited for. */
const followedGroups = (names: string): string => `
  PERFORM 1 FROM @.groups WHERE name IN (${names}) ORDER BY name FOR SHARE;
  INSERT INTO @.endings (group_name) SELECT name FROM @.groups WHERE followed = 1 AND name IN (${names});`;

/** Places that became free. Whoever works the list off counts who runs, so naming a gate twice does no harm. */
const freedGates = (jobs: string, table: string): string => `
  IF EXISTS (SELECT 1 FROM ${table} WHERE gated = 1) THEN
    INSERT INTO @.freed_gates (gate)
      SELECT DISTINCT 'key:' || past.key ${jobs} AND past.key IS NOT NULL
      UNION
      SELECT DISTINCT 'group:' || past.group_name ${jobs} AND past.group_name IS NOT NULL;
  END IF;`;

/** Tables are named in full: whoever changes jobs by hand may have another search path. */
function redefine(schema: string, name: string, differences: string, flow: string): string {
  const body = `BEGIN INSERT INTO @.counters ${differences}; ${flow} RETURN NULL; END`;
  return `
    CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS ${quotedText(body.replaceAll('@', () => quotedName(schema)))};`;
}
