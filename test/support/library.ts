// A queue used as a library, without the command line: in a folder of its own, closed when the test ends. Its workers
// are rows that the test writes; by default they stand for this process, which is seen to live.

import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Outcome } from '../../src/job/job.ts';
import { ownIdentity } from '../../src/process/tree/identity.ts';
import { Queue, type QueueOptions } from '../../src/queue/queue.ts';
import { Settings } from '../../src/settings/settings.ts';
import type { Claimed, NewWorker } from '../../src/store/store.ts';
import { temporaryFolder } from './folder.ts';
import { endings } from './jobs.ts';
import { makeQueueFile } from './new-queue-file.ts';
import { plainWorker } from './workers.ts';

const here = ownIdentity({});

export async function openQueue(t: TestContext, options: QueueOptions = {}): Promise<Queue> {
  const folder = temporaryFolder(t);
  const environment = { QUEUECTL_HOME: folder, ...options.environment };
  if (!options.db && !options.environment) await makeQueueFile(path.join(folder, 'queue.db'));
  const queue = await Queue.open({ cwd: folder, ...options, environment });
  t.after(() => queue.close());
  return queue;
}

export async function addWorker(queue: Queue, id: string, more: Partial<NewWorker> = {}): Promise<void> {
  await queue.store.registerWorker({ ...plainWorker, ...here, id, storeId: queue.store.id, ...more });
}

/** Its process is gone: somebody else has its pid. */
export const addDeadWorker = (queue: Queue, id: string, more: Partial<NewWorker> = {}): Promise<void> =>
  addWorker(queue, id, { pidStartedAt: '1', ...more });

/** Has the worker claim this job. */
export async function claim(queue: Queue, jobId: string, workerId: string): Promise<Claimed> {
  const { claimed } = await turn(queue, workerId, { want: 1, only: jobId });
  if (!claimed[0]) throw new Error(`${jobId} was not there to be claimed`);
  return claimed[0];
}

/** Has the worker run this job to its end. */
export async function runJob(queue: Queue, jobId: string, workerId: string, outcome: Outcome): Promise<void> {
  const { seq, run } = await claim(queue, jobId, workerId);
  await turn(queue, workerId, { ended: [{ seq, run, ending: endings[outcome] }] });
}

export function turn(queue: Queue, id: string, more: Partial<Parameters<typeof queue.store.turn>[0]>) {
  return queue.store.turn({
    worker: { ...here, id },
    started: [],
    ended: [],
    want: 0,
    queues: null,
    policy: new Settings({}).backoff,
    maxConcurrentJobs: null,
    logPath: (jobId, run) => `${queue.place.logs}/${jobId}.${run}`,
    ...more,
  });
}
