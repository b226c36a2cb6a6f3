// Runs a worker in the process of the server. The worker has its own database connection, so that requests do not delay
// its lease renewals.

import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from '../../queue/queue.ts';
import { jobServerFor } from '../../server/job-server/open-job-server.ts';
import { makeWorkerId, startWorker } from '../../worker/start-worker.ts';
import type { Context } from '../command.ts';
import { guardProgram, webhookProgram } from '../program-path.ts';
import { expectCurrent, logToTerminal, stopWorkers } from '../workers/work.ts';

/** How long to wait for a database that does not respond. */
const CLOSE_WITHIN_MS = 1000;

export interface WorkerBeside {
  /** The first signal lets running jobs finish; the second stops and requeues them. */
  stop(count: number): void;
  /** Resolves when the worker has stopped; rejects if it failed, or if the database is too new for it. */
  readonly ended: Promise<void>;
}

export async function startWorkerBeside(context: Context, concurrency: number): Promise<WorkerBeside> {
  const queue = await Queue.open({ db: context.options.text('db') });
  const worker = startWorker(queue, {
    id: makeWorkerId(),
    concurrency,
    queues: null,
    drain: false,
    log: logToTerminal(context),
    guard: guardProgram(),
    webhook: webhookProgram(),
    jobServer: jobServerFor(queue),
    ownsProcess: false,
  });
  const close = (): Promise<void> => Promise.race([queue.close(), sleep(CLOSE_WITHIN_MS)]);
  return {
    stop: (count) => stopWorkers(context, [worker], count),
    ended: worker
      .run()
      .finally(close)
      .then(() => expectCurrent([worker])),
  };
}
