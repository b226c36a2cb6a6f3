// A worker in the process of the test that runs what is there. It saves the start of a program, which takes ten times as long.

import path from 'node:path';
import { keepInheritedFilesFromChildren } from '../../src/process/spawn/inherited-files.ts';
import type { Queue } from '../../src/queue/queue.ts';
import { jobServerFor } from '../../src/server/job-server/open-job-server.ts';
import { makeWorkerId, startWorker } from '../../src/worker/start-worker.ts';

const dist = path.join(import.meta.dirname, '..', '..', 'dist');

export async function drain(queue: Queue): Promise<void> {
  keepInheritedFilesFromChildren('ignore');
  const worker = startWorker(queue, {
    id: makeWorkerId(),
    concurrency: 1,
    queues: null,
    drain: true,
    log: () => {},
    guard: [path.join(dist, 'guard.cjs')],
    webhook: [process.execPath, path.join(dist, 'queuectl.cjs'), '__webhook'],
    jobServer: jobServerFor(queue),
    ownsProcess: false,
  });
  await worker.run();
}
