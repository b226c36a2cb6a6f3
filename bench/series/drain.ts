// Drains no-op jobs with a worker in this process. Prints the elapsed time and the CPU time, here and in the server's
// processes. Usage: drain.ts DB JOBS

import { readFileSync } from 'node:fs';
import { Queue } from '../../src/queue/queue.ts';
import { makeWorkerId, startWorker } from '../../src/worker/start-worker.ts';
import { ask } from '../postgres.ts';

const [, , db = '', jobs = '0'] = process.argv;
const TICK_MS = 10;

const queue = await Queue.open({ db });
await queue.enqueue(Array.from({ length: Number(jobs) }, () => ({ command: 'true' })));
const worker = startWorker(queue, {
  id: makeWorkerId(),
  queues: null,
  concurrency: 4,
  drain: true,
  ownsProcess: true,
  log: () => {},
});
const before = { at: performance.now(), cpu: process.cpuUsage(), server: await serverMs() };
await worker.run();
const { user, system } = process.cpuUsage(before.cpu);
const ms = performance.now() - before.at;
console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1000 + (await serverMs()) - before.server }));
await queue.close();
process.exit(0);

/** CPU time that our connections have cost the server so far; 0 for a file. */
async function serverMs(): Promise<number> {
  if (!db.startsWith('postgres:')) return 0;
  const rows = await ask(
    db.split('?')[0] ?? '',
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'queuectl'`,
  );
  return rows.reduce((sum, { pid }) => sum + cpuMs(Number(pid)), 0);
}

function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
