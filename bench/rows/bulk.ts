// Measures bulk enqueueing through the command line, compared with bare prepared inserts of the same row.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { launcher, rate } from '../measure.ts';
import { atLeast, type Bench, count } from '../row.ts';

const JOBS = 200_000;
const BATCH = 1000;

export const benches: Bench[] = [
  {
    name: 'bulk',
    summary: `\`enqueue\` of ${count(JOBS)} jobs`,
    on: 'SQLite',
    rows: async function* ({ folder, environment: env }) {
      const input = Array.from({ length: JOBS }, (_, i) => `echo ${i}`).join('\n');
      const enqueue = (): void => {
        const { status, stderr } = spawnSync(launcher, ['enqueue', '-', '--lines'], { env, input });
        if (status !== 0) throw new Error(String(stderr));
      };
      yield {
        measure: `\`enqueue\` of ${count(JOBS)} jobs, whole command`,
        against: 'bare prepared inserts, batches of 1,000',
        unit: '/s',
        target: atLeast(0.5),
        durable: 'both',
        rounds: 3,
        ours: () => rate(JOBS, enqueue),
        peer: () => rate(JOBS, () => bareInserts(join(folder, 'bare.db'))),
      };
    },
  },
];

function bareInserts(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE jobs (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, queue TEXT, state TEXT, priority INTEGER, command TEXT,
      max_retries INTEGER, cwd TEXT, next_run_at INTEGER, created_at INTEGER, updated_at INTEGER)`);
  const insert = db.prepare('INSERT INTO jobs VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const now = Date.now();
  for (let start = 0; start < JOBS; start += BATCH) {
    db.exec('BEGIN IMMEDIATE');
    for (let i = start; i < start + BATCH; i++) {
      insert.run(`id${(i * 7919) % JOBS}`, 'default', 'pending', 0, `echo ${i}`, 3, '/tmp', now, now, now);
    }
    db.exec('COMMIT');
  }
  db.close();
}
