// Measures what a million jobs leave behind on PostgreSQL: sizes, dead rows and the cost of a turn, stage by stage.
// Usage: scripts/node bench/bloat.ts [JOBS]. Autovacuum has its defaults, and there is no manual vacuum before the last
// stage.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { table } from '../src/cli/render/kit/table.ts';
import type { Queue } from '../src/queue/queue.ts';
import type { Turn } from '../src/store/store.ts';
import { percentile } from './measure.ts';
import { completed, turn, worker } from './no-op.ts';
import { onServer, openQueue } from './postgres.ts';
import { UNITS } from './row.ts';
import { plainWorker, sign } from '../test/support/workers.ts';

const JOBS = Number(process.argv[2] ?? 1_000_000);
const ENQUEUED_AT_ONCE = 1000;
const CLAIMED_AT_ONCE = 250;
const PRUNED_AT_ONCE = 1000;
const HEARTBEAT_EVERY_MS = 1000;
/** PostgreSQL flushes a backend's statistics after ten seconds of idling. */
const STATISTICS_LAG_MS = 11_000;
const TABLES = ['jobs', 'attempts', 'counters', 'workers'];

const rows: string[][] = [];
await onServer(async (url) => {
  const admin = new pg.Client({ connectionString: url });
  admin.on('error', () => {}); // the server's shutdown after another failure
  await admin.connect();
  const queue = await openQueue(url, 'bloat');
  await queue.store.registerWorker({ ...worker, ...plainWorker, concurrency: CLAIMED_AT_ONCE });
  const note = async (stage: string): Promise<void> => {
    rows.push(...(await look(admin, stage)));
  };
  await timed('enqueue', () => enqueueAll(queue));
  await note('enqueued');
  await timed('claim and complete, first half', () => completeSome(queue, JOBS / 2));
  await note('half completed');
  await timed('claim and complete, second half', () => completeSome(queue, JOBS / 2));
  await note('completed');
  await timed('autovacuum', () => vacuumed(admin));
  await note('after autovacuum');
  await timed('prune', () => pruneAll(queue));
  await note('pruned');
  await timed('autovacuum', () => vacuumed(admin));
  await note('after autovacuum');
  await timed('enqueue again', () => enqueueAll(queue));
  await timed('claim and complete again', () => completeSome(queue, JOBS));
  await note('a second million in the same space');
  await queue.close();
  await admin.end();
});
const columns = [
  { title: 'stage' },
  { title: 'table' },
  { title: 'rows', align: 'right' },
  { title: 'dead', align: 'right' },
  { title: 'table MiB', align: 'right' },
  { title: 'indexes MiB', align: 'right' },
  { title: 'vacuums', align: 'right' },
] as const;
console.log(table(columns, rows, null));

async function timed(what: string, work: () => Promise<string>): Promise<void> {
  const startedAt = performance.now();
  const found = await work();
  console.error(`${what}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s. ${found}`);
}

async function look(admin: pg.Client, stage: string): Promise<string[][]> {
  await sleep(STATISTICS_LAG_MS);
  const found = await admin.query(
    `SELECT relname, n_live_tup, n_dead_tup, pg_relation_size(relid) AS size, pg_indexes_size(relid) AS indexes,
       autovacuum_count FROM pg_stat_user_tables WHERE schemaname = 'bloat' AND relname = ANY($1) ORDER BY relname`,
    [TABLES],
  );
  return found.rows.map((row) => [
    stage,
    row.relname,
    count(row.n_live_tup),
    count(row.n_dead_tup),
    mebibytes(row.size),
    mebibytes(row.indexes),
    row.autovacuum_count,
  ]);
}

function count(n: string): string {
  return Number(n).toLocaleString('en-US');
}

function mebibytes(bytes: string): string {
  return (Number(bytes) / 2 ** 20).toFixed(1);
}

async function enqueueAll(queue: Queue): Promise<string> {
  const raws = Array.from({ length: ENQUEUED_AT_ONCE }, (_, i) => ({ command: `echo ${i}` }));
  for (let done = 0; done < JOBS; done += raws.length) {
    await queue.enqueue(raws);
    progress('enqueued', done);
  }
  return '';
}

/** Turns of a worker that completes as many jobs as it claims, with heartbeats. */
async function completeSome({ store }: Queue, jobs: number): Promise<string> {
  const times: number[] = [];
  let ended: Turn['ended'] = [];
  let beatAt = 0;
  for (let done = 0; done < jobs; done += ended.length) {
    if (performance.now() - beatAt > HEARTBEAT_EVERY_MS) {
      await store.renew(worker.id, sign());
      beatAt = performance.now();
    }
    const startedAt = performance.now();
    const { claimed } = await store.turn(turn(CLAIMED_AT_ONCE, ended));
    times.push(performance.now() - startedAt);
    ended = claimed.map(({ seq, run }) => ({ seq, run, ending: completed }));
    if (claimed.length === 0) break;
    progress('claimed', done);
  }
  await store.turn(turn(0, ended));
  const tenth = Math.ceil(times.length / 10);
  const part = (from: number, to?: number): string => UNITS.ms(percentile(times.slice(from, to), 0.5));
  return `A turn of ${CLAIMED_AT_ONCE}: p50 ${part(0)}, p99 ${UNITS.ms(percentile(times, 0.99))}; of the first tenth ${part(0, tenth)}, of the last ${part(-tenth)}`;
}

async function pruneAll({ store }: Queue): Promise<string> {
  for (let gone = 0; ; ) {
    const { jobs } = await store.prune({ states: ['completed'] }, PRUNED_AT_ONCE);
    gone += jobs;
    if (jobs === 0) return `${gone.toLocaleString('en-US')} jobs`;
    progress('pruned', gone);
  }
}

/** Waits until autovacuum has processed every large table; the server checks once a minute. */
async function vacuumed(admin: pg.Client): Promise<string> {
  await sleep(STATISTICS_LAG_MS);
  const { rows: since } = await admin.query('SELECT now() AS now');
  for (let tries = 0; tries < 240; tries++) {
    const left = await admin.query(
      `SELECT count(*)::int AS n FROM pg_stat_user_tables WHERE schemaname = 'bloat' AND relname IN ('jobs', 'attempts')
         AND n_dead_tup > 50 + 0.2 * n_live_tup AND coalesce(last_autovacuum, '-infinity') < $1`,
      [since[0].now],
    );
    const busy = await admin.query('SELECT count(*)::int AS n FROM pg_stat_progress_vacuum');
    if (left.rows[0].n === 0 && busy.rows[0].n === 0) return '';
    await sleep(1000);
  }
  return 'given up waiting';
}

function progress(what: string, done: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${what} ${done.toLocaleString('en-US')}\r`);
}
