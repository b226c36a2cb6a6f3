// Dependencies, groups, keys, holds, schedules, hooks, tags, progress and results.
// `ready` has two more values: 2 for held jobs, 3 for jobs at a gate (src/job/readiness.ts). In the same transaction,
// triggers record every outcome that has dependents or hooks, whatever finished the job, and every slot that became
// free at a gate. Turns process these lists (decision 17).

import type { Migration } from '../../sql/migration.ts';

/** Avoids IN, for which SQLite creates a table of three rows every time the trigger runs. */
const hasEnded = (state: string): string => `(${state} = 'completed' OR ${state} = 'dead' OR ${state} = 'cancelled')`;

export const flow: Migration = {
  version: 5,
  name: 'flow',
  sql: () => `
    ALTER TABLE jobs ADD COLUMN name TEXT;
    ALTER TABLE jobs ADD COLUMN group_name TEXT;
    ALTER TABLE jobs ADD COLUMN depends_on TEXT;
    ALTER TABLE jobs ADD COLUMN on_dependency_failure TEXT;
    ALTER TABLE jobs ADD COLUMN followed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE jobs ADD COLUMN held TEXT;
    ALTER TABLE jobs ADD COLUMN waits_at TEXT;
    ALTER TABLE jobs ADD COLUMN key TEXT;
    ALTER TABLE jobs ADD COLUMN key_concurrency INTEGER;
    ALTER TABLE jobs ADD COLUMN weight INTEGER;
    ALTER TABLE jobs ADD COLUMN gated INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE jobs ADD COLUMN unique_key TEXT;
    ALTER TABLE jobs ADD COLUMN tags TEXT;
    ALTER TABLE jobs ADD COLUMN outcome_rules TEXT;
    ALTER TABLE jobs ADD COLUMN stdin_bytes INTEGER;
    ALTER TABLE jobs ADD COLUMN hooks TEXT;
    ALTER TABLE jobs ADD COLUMN hook_of TEXT;
    ALTER TABLE jobs ADD COLUMN schedule TEXT;
    ALTER TABLE jobs ADD COLUMN scheduled_at INTEGER;
    ALTER TABLE jobs ADD COLUMN snoozes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE jobs ADD COLUMN progress REAL;
    ALTER TABLE jobs ADD COLUMN progress_note TEXT;
    ALTER TABLE jobs ADD COLUMN result TEXT;
    ALTER TABLE jobs ADD COLUMN fingerprint TEXT;

    CREATE INDEX jobs_name ON jobs (name, seq) WHERE name IS NOT NULL;
    CREATE INDEX jobs_group ON jobs (group_name, state, seq) WHERE group_name IS NOT NULL;
    CREATE INDEX jobs_unique ON jobs (unique_key, state, created_at) WHERE unique_key IS NOT NULL;
    CREATE INDEX jobs_schedule ON jobs (schedule, state, seq) WHERE schedule IS NOT NULL;
    CREATE INDEX jobs_tick ON jobs (schedule, scheduled_at) WHERE schedule IS NOT NULL;
    CREATE INDEX jobs_fingerprint ON jobs (fingerprint, finished_at) WHERE state = 'dead';
    CREATE INDEX jobs_held ON jobs (queue) WHERE ready = 2;
    CREATE INDEX jobs_at_gate ON jobs (waits_at, queue, priority DESC, seq) WHERE ready = 3;
    CREATE INDEX jobs_ready_key ON jobs (key, queue) WHERE ready = 1 AND key IS NOT NULL;
    CREATE INDEX jobs_running_key ON jobs (key) WHERE locked_by IS NOT NULL AND key IS NOT NULL;
    CREATE INDEX jobs_ready_group ON jobs (group_name, queue) WHERE ready = 1 AND group_name IS NOT NULL;
    CREATE INDEX jobs_running_group ON jobs (group_name) WHERE locked_by IS NOT NULL AND group_name IS NOT NULL;

    CREATE TABLE dependencies (
      job_seq INTEGER NOT NULL,
      position INTEGER NOT NULL,
      kind TEXT NOT NULL,
      parent TEXT NOT NULL,
      parent_seq INTEGER,
      rule TEXT NOT NULL,
      outcome TEXT,
      PRIMARY KEY (job_seq, position)
    ) WITHOUT ROWID;
    CREATE INDEX dependencies_parent ON dependencies (parent_seq) WHERE parent_seq IS NOT NULL;
    CREATE INDEX dependencies_on_job ON dependencies (parent_seq) WHERE outcome IS NULL AND kind = 'job';
    CREATE INDEX dependencies_group ON dependencies (parent) WHERE kind = 'group';
    CREATE INDEX dependencies_on_group ON dependencies (parent) WHERE outcome IS NULL AND kind = 'group';

    CREATE TABLE endings (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      job_seq INTEGER,
      group_name TEXT,
      outcome TEXT,
      run INTEGER
    );

    CREATE TABLE groups (
      name TEXT PRIMARY KEY,
      concurrency INTEGER,
      followed INTEGER NOT NULL DEFAULT 0,
      hooks TEXT,
      hooked_up_to INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE group_counters (
      group_name TEXT NOT NULL,
      state TEXT NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (group_name, state)
    ) WITHOUT ROWID;

    CREATE TABLE tags (
      tag TEXT NOT NULL,
      job_seq INTEGER NOT NULL,
      PRIMARY KEY (tag, job_seq)
    ) WITHOUT ROWID;
    CREATE INDEX tags_of_job ON tags (job_seq);

    CREATE TABLE stdins (
      job_seq INTEGER PRIMARY KEY,
      data BLOB NOT NULL
    );

    CREATE TABLE queue_limits (
      queue TEXT PRIMARY KEY,
      paused_at INTEGER,
      draining_at INTEGER,
      concurrency INTEGER,
      rate_per_second REAL,
      burst INTEGER,
      not_before REAL,
      hooks TEXT
    ) WITHOUT ROWID;

    CREATE TABLE schedules (
      name TEXT PRIMARY KEY,
      spec TEXT NOT NULL,
      job TEXT NOT NULL,
      environment_id INTEGER,
      paused_at INTEGER,
      next_at INTEGER,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX schedules_environment ON schedules (environment_id) WHERE environment_id IS NOT NULL;
    CREATE INDEX schedules_next ON schedules (next_at) WHERE next_at IS NOT NULL AND paused_at IS NULL;

    CREATE TABLE ticks (
      schedule TEXT NOT NULL,
      tick_at INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      reason TEXT,
      job_id TEXT,
      decided_at INTEGER NOT NULL,
      PRIMARY KEY (schedule, tick_at)
    ) WITHOUT ROWID;

    CREATE TABLE freed_gates (
      gate TEXT PRIMARY KEY
    ) WITHOUT ROWID;

    CREATE TRIGGER count_requeued AFTER UPDATE OF queue ON jobs
    WHEN old.queue <> new.queue AND old.state = new.state BEGIN
      UPDATE counters SET n = n - 1 WHERE queue = old.queue AND state = old.state;
      INSERT INTO counters VALUES (new.queue, new.state, 1)
        ON CONFLICT DO UPDATE SET n = n + 1;
    END;
    CREATE TRIGGER count_inserted_group AFTER INSERT ON jobs WHEN new.group_name IS NOT NULL BEGIN
      INSERT INTO group_counters VALUES (new.group_name, new.state, 1)
        ON CONFLICT DO UPDATE SET n = n + 1;
    END;
    CREATE TRIGGER count_deleted_group AFTER DELETE ON jobs WHEN old.group_name IS NOT NULL BEGIN
      UPDATE group_counters SET n = n - 1 WHERE group_name = old.group_name AND state = old.state;
      INSERT INTO endings (group_name) SELECT name FROM groups
        WHERE name = old.group_name AND followed = 1 AND NOT ${hasEnded('old.state')};
    END;
    CREATE TRIGGER count_moved_group AFTER UPDATE OF state ON jobs
    WHEN new.group_name IS NOT NULL AND old.state <> new.state BEGIN
      UPDATE group_counters SET n = n - 1 WHERE group_name = new.group_name AND state = old.state;
      INSERT INTO group_counters VALUES (new.group_name, new.state, 1)
        ON CONFLICT DO UPDATE SET n = n + 1;
      INSERT INTO endings (group_name) SELECT name FROM groups
        WHERE name = new.group_name AND followed = 1 AND ${hasEnded('new.state')};
    END;
    CREATE TRIGGER free_gates AFTER UPDATE ON jobs
    WHEN old.gated = 1 AND new.locked_by IS NULL AND (old.locked_by IS NOT NULL
      OR (old.ready = 1 AND (new.ready <> 1 OR old.key IS NOT new.key))) BEGIN
      INSERT OR IGNORE INTO freed_gates SELECT 'key:' || old.key WHERE old.key IS NOT NULL;
      INSERT OR IGNORE INTO freed_gates SELECT 'group:' || old.group_name WHERE old.group_name IS NOT NULL;
    END;
    CREATE TRIGGER free_gates_removed AFTER DELETE ON jobs WHEN old.gated = 1 AND old.ready = 1 BEGIN
      INSERT OR IGNORE INTO freed_gates SELECT 'key:' || old.key WHERE old.key IS NOT NULL;
      INSERT OR IGNORE INTO freed_gates SELECT 'group:' || old.group_name WHERE old.group_name IS NOT NULL;
    END;
    CREATE TRIGGER record_end AFTER UPDATE OF state ON jobs
    WHEN old.state <> new.state AND ${hasEnded('new.state')} AND (
      new.followed = 1 OR new.hooks IS NOT NULL OR new.hook_of IS NULL AND (
        EXISTS (SELECT 1 FROM settings WHERE key BETWEEN 'on_dead' AND 'on_success')
        OR EXISTS (SELECT 1 FROM queue_limits WHERE queue = new.queue AND hooks IS NOT NULL))) BEGIN
      INSERT INTO endings (job_seq, outcome, run) VALUES (new.seq, new.state, new.runs);
    END;
    CREATE TRIGGER record_removal AFTER DELETE ON jobs
    WHEN old.followed = 1 AND NOT ${hasEnded('old.state')} BEGIN
      INSERT INTO endings (job_seq, outcome) VALUES (old.seq, 'deleted');
    END;
  `,
};
