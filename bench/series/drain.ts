// Drains no-op jobs with a worker in this process. Prints the CPU time, here and in the server's processes. Usage: drain.ts DB JOBS

import { Queue } from '../../src/queue/queue.ts';
import { makeWorkerId, startWorker } from '../../src/worker/start-worker.ts';
import { cpuUsed, openMeter } from '../cpu.ts';

const [, , db = '', jobs = '0'] = process.argv;

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
const meter = await openMeter(db.startsWith('postgres:') ? (db.split('?')[0] ?? '') : null);
console.log(JSON.stringify({ cpuMs: (await cpuUsed(meter, () => worker.run())) / 1000 }));
await meter.close();
await queue.close();
process.exit(0);
