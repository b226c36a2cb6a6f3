// liteque: adds no-op jobs one by one, because it has no bulk insert, then processes them. Synced to disk, unlike its
// default. Prints the milliseconds. Its driver better-sqlite3 is replaced by Node's SQLite, which needs no compiler.
// Usage: node run.mjs DB COUNT

import { DatabaseSync } from 'node:sqlite';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrateDB, Runner, SqliteQueue } from 'liteque';

const [, , path, count] = process.argv;
const file = new DatabaseSync(path);
file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536');
const db = drizzle({ prepare, transaction });
migrateDB(db);

const queue = new SqliteQueue('no-op', db, { defaultJobArgs: { numRetries: 3 }, keepFailedJobs: false });
const options = { concurrency: 100, timeoutSecs: 60, pollIntervalMs: 1 };
const startedAt = performance.now();
for (let i = 0; i < Number(count); i++) await queue.enqueue({ i });
const addedAt = performance.now();
await new Runner(queue, { run: async () => {} }, options).runUntilEmpty();
console.log(JSON.stringify({ add: addedAt - startedAt, process: performance.now() - addedAt }));
process.exit(0); // instead of waiting for the timeouts of all jobs

function prepare(text) {
  const statement = file.prepare(text);
  return Object.assign(statement, {
    raw: () => {
      statement.setReturnArrays(true);
      return statement;
    },
  });
}

/** Like better-sqlite3 before version 12, it commits when the function returns, also if it returns a promise. */
function transaction(work) {
  const act = (...args) => {
    file.exec('BEGIN');
    const result = work(...args);
    file.exec('COMMIT');
    return result;
  };
  return Object.assign(act, { deferred: act, immediate: act });
}
