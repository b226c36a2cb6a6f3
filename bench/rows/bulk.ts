// Measures bulk enqueueing through the command line, compared with bare prepared inserts of the same row.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inSandbox, launcher } from '../measure.ts';
import { atLeast, type Bench, perSecond } from '../row.ts';

const JOBS = 200_000;
const BATCH = 1000;

export const bench: Bench = {
  name: 'bulk',
  run: (say) =>
    inSandbox(async ({ folder, environment }) => {
      say(`enqueueing ${JOBS.toLocaleString('en-US')} jobs`);
      const input = Array.from({ length: JOBS }, (_, i) => `echo ${i}`).join('\n');
      const ours = rate(() => {
        const { status } = spawnSync(launcher, ['enqueue', '-', '--lines'], { env: environment, input });
        if (status !== 0) throw new Error('enqueue failed');
      });
      const theirs = rate(() => bareInserts(join(folder, 'bare.db')));
      return [
        {
          measure: `bulk enqueue of ${JOBS.toLocaleString('en-US')}, whole command`,
          against: 'bare prepared inserts, synced, batches of 1,000',
          ours: perSecond(ours),
          theirs: perSecond(theirs),
          ...atLeast(ours / theirs, 0.5),
        },
      ];
    }),
};

function rate(work: () => void): number {
  const startedAt = performance.now();
  work();
  return (JOBS / (performance.now() - startedAt)) * 1000;
}

function bareInserts(path: string): void {
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
