// Jobs, their attempts and outputs, counters, workers, settings: as in SQLite, and as it says there about `ready`.
//
// Text that is compared or sorted has the order of its bytes (COLLATE "C"), whatever the database was created with.
// Counters are differences that triggers append, once a statement: a row that is updated in place would make all
// workers wait for each other. Whoever reads sums them, and folds them now and then.
// Fill factors: a job's updates all touch an indexed column and go to a new place anyway, so its pages are packed. An
// attempt is updated twice in columns that no index has, and a worker all the time: with room on the page no index
// has to follow.

import type { Migration } from '../../sql/migration.ts';
import { quotedName, quotedText } from '../session/names.ts';

export const initial: Migration = {
  version: 1,
  name: 'initial',
  sql: (schema) => `
    CREATE TABLE migrations (
      version bigint PRIMARY KEY,
      name text NOT NULL,
      applied_at bigint NOT NULL
    );

    CREATE TABLE jobs (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text COLLATE "C" NOT NULL,
      queue text COLLATE "C" NOT NULL,
      state text COLLATE "C" NOT NULL,
      ready smallint NOT NULL,
      priority bigint NOT NULL,
      command text NOT NULL,
      is_argv smallint NOT NULL,
      attempts bigint NOT NULL DEFAULT 0,
      runs bigint NOT NULL DEFAULT 0,
      interruptions bigint NOT NULL DEFAULT 0,
      interruptions_in_row bigint NOT NULL DEFAULT 0,
      max_retries bigint NOT NULL,
      backoff_base double precision,
      backoff_strategy text,
      timeout_seconds double precision,
      run_at bigint,
      next_run_at bigint,
      cwd text,
      env text,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL,
      started_at bigint,
      finished_at bigint,
      duration_ms bigint,
      exit_code bigint,
      signal text,
      last_error text,
      locked_by text COLLATE "C",
      locked_at bigint,
      cancel_requested_at bigint,
      CONSTRAINT jobs_id UNIQUE (id)
    ) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

    CREATE INDEX jobs_ready ON jobs (queue, priority DESC, seq) WHERE ready = 1;
    CREATE INDEX jobs_waiting ON jobs (state, next_run_at) WHERE ready = 0 AND next_run_at IS NOT NULL;
    CREATE INDEX jobs_running ON jobs (locked_by) WHERE locked_by IS NOT NULL;
    CREATE INDEX jobs_by_state ON jobs (state, queue, seq);
    CREATE INDEX jobs_finished ON jobs (state, finished_at) WHERE finished_at IS NOT NULL;

    CREATE TABLE attempts (
      job_seq bigint NOT NULL,
      number bigint NOT NULL,
      worker_id text NOT NULL,
      host text NOT NULL,
      boot_id text NOT NULL,
      pid bigint,
      pid_started_at text,
      started_at bigint NOT NULL,
      waited_ms bigint NOT NULL,
      ended_at bigint,
      outcome text,
      exit_code bigint,
      signal text,
      error text,
      log_path text NOT NULL,
      PRIMARY KEY (job_seq, number)
    ) WITH (fillfactor = 70);

    CREATE TABLE outputs (
      job_seq bigint NOT NULL,
      number bigint NOT NULL,
      from_byte bigint NOT NULL,
      data bytea NOT NULL,
      PRIMARY KEY (job_seq, number, from_byte)
    );

    CREATE TABLE counters (
      queue text COLLATE "C" NOT NULL,
      state text COLLATE "C" NOT NULL,
      n bigint NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

    ${trigger(
      schema,
      'count_inserted',
      'INSERT',
      'NEW TABLE AS fresh',
      'SELECT queue, state, count(*) FROM fresh GROUP BY queue, state',
    )}
    ${trigger(
      schema,
      'count_deleted',
      'DELETE',
      'OLD TABLE AS gone',
      'SELECT queue, state, -count(*) FROM gone GROUP BY queue, state',
    )}
    ${trigger(
      schema,
      'count_moved',
      'UPDATE',
      'OLD TABLE AS gone NEW TABLE AS fresh',
      `SELECT queue, state, sum(n) FROM (
         SELECT queue, state, 1 AS n FROM fresh UNION ALL SELECT queue, state, -1 FROM gone) moved
       GROUP BY queue, state HAVING sum(n) <> 0`,
    )}

    CREATE TABLE workers (
      id text COLLATE "C" PRIMARY KEY,
      host text NOT NULL,
      pid bigint NOT NULL,
      pid_started_at text,
      boot_id text NOT NULL,
      queues text,
      concurrency bigint NOT NULL,
      started_at bigint NOT NULL,
      last_heartbeat bigint NOT NULL,
      stop_requested text,
      notice text
    ) WITH (fillfactor = 30);

    CREATE TABLE settings (
      key text COLLATE "C" PRIMARY KEY,
      value text NOT NULL
    );
  `,
};

/** Its table is named in full: whoever changes jobs by hand may have another search path. */
function trigger(schema: string, name: string, event: string, tables: string, differences: string): string {
  const body = `BEGIN INSERT INTO ${quotedName(schema)}.counters ${differences}; RETURN NULL; END`;
  return `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS ${quotedText(body)};
    CREATE TRIGGER ${name} AFTER ${event} ON jobs REFERENCING ${tables}
      FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;
}
