// Jobs, their attempts, counters, workers, settings.
// ready = 1 marks a job that a worker may claim now. A waiting job (ready = 0, next_run_at set) becomes ready when it
// is due. So three partial indexes answer the three queries of a claim, and each contains only the jobs it is about.
// The lease of a running job is (seq, runs): runs grows with every claim, so no two attempts share a lease.

import type { Migration } from '../../sql/migration.ts';

export const initial: Migration = {
  version: 1,
  name: 'initial',
  sql: () => `
    CREATE TABLE migrations (
      version INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      applied_at INTEGER NOT NULL
    );

    CREATE TABLE jobs (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      queue TEXT NOT NULL,
      state TEXT NOT NULL,
      ready INTEGER NOT NULL,
      priority INTEGER NOT NULL,
      command TEXT NOT NULL,
      is_argv INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      runs INTEGER NOT NULL DEFAULT 0,
      interruptions INTEGER NOT NULL DEFAULT 0,
      interruptions_in_row INTEGER NOT NULL DEFAULT 0,
      max_retries INTEGER NOT NULL,
      backoff_base REAL,
      backoff_strategy TEXT,
      timeout_seconds REAL,
      run_at INTEGER,
      next_run_at INTEGER,
      cwd TEXT,
      env TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      started_at INTEGER,
      finished_at INTEGER,
      duration_ms INTEGER,
      exit_code INTEGER,
      signal TEXT,
      last_error TEXT,
      locked_by TEXT,
      locked_at INTEGER,
      cancel_requested_at INTEGER
    );

    CREATE INDEX jobs_ready ON jobs (queue, priority DESC, seq) WHERE ready = 1;
    CREATE INDEX jobs_waiting ON jobs (state, next_run_at) WHERE ready = 0 AND next_run_at IS NOT NULL;
    CREATE INDEX jobs_running ON jobs (locked_by) WHERE locked_by IS NOT NULL;
    CREATE INDEX jobs_by_state ON jobs (state, queue, seq);
    CREATE INDEX jobs_finished ON jobs (state, finished_at) WHERE finished_at IS NOT NULL;

    CREATE TABLE attempts (
      job_seq INTEGER NOT NULL,
      number INTEGER NOT NULL,
      worker_id TEXT NOT NULL,
      host TEXT NOT NULL,
      boot_id TEXT NOT NULL,
      pid INTEGER,
      pid_started_at TEXT,
      started_at INTEGER NOT NULL,
      waited_ms INTEGER NOT NULL,
      ended_at INTEGER,
      outcome TEXT,
      exit_code INTEGER,
      signal TEXT,
      error TEXT,
      log_path TEXT NOT NULL,
      PRIMARY KEY (job_seq, number)
    ) WITHOUT ROWID;

    CREATE TABLE counters (
      queue TEXT NOT NULL,
      state TEXT NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (queue, state)
    ) WITHOUT ROWID;

    CREATE TRIGGER count_inserted AFTER INSERT ON jobs BEGIN
      INSERT INTO counters VALUES (new.queue, new.state, 1)
        ON CONFLICT DO UPDATE SET n = n + 1;
    END;
    CREATE TRIGGER count_deleted AFTER DELETE ON jobs BEGIN
      UPDATE counters SET n = n - 1 WHERE queue = old.queue AND state = old.state;
    END;
    CREATE TRIGGER count_moved AFTER UPDATE OF state ON jobs WHEN old.state <> new.state BEGIN
      UPDATE counters SET n = n - 1 WHERE queue = old.queue AND state = old.state;
      INSERT INTO counters VALUES (new.queue, new.state, 1)
        ON CONFLICT DO UPDATE SET n = n + 1;
    END;

    CREATE TABLE workers (
      id TEXT PRIMARY KEY,
      host TEXT NOT NULL,
      pid INTEGER NOT NULL,
      pid_started_at TEXT,
      boot_id TEXT NOT NULL,
      queues TEXT,
      concurrency INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      last_heartbeat INTEGER NOT NULL,
      stop_requested TEXT,
      notice TEXT
    ) WITHOUT ROWID;

    CREATE TABLE settings (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) WITHOUT ROWID;
  `,
};
