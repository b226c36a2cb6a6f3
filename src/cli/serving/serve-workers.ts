// Jobs that run in the process of the server, so that one command is a whole system. They have a connection to the store of
// their own: what the server answers does not keep a worker from its leases.

import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from '../../queue/queue.ts';
import { jobServerFor } from '../../server/job-server/open-job-server.ts';
import { makeWorkerId, startWorker } from '../../worker/start-worker.ts';
import type { Context } from '../command.ts';
import { guardProgram, webhookProgram } from '../program-path.ts';
import { logToTerminal, stopWorkers } from '../workers/work.ts';

/** A store that does not answer is not waited for. */
const CLOSE_WITHIN_MS = 1000;

export interface WorkerBeside {
  /** With how many signals there were: the first lets jobs finish, the second ends them and puts them back. */
  stop(count: number): void;
  /** Resolves when it has left; rejects if it could not work. */
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
    ended: worker.run().finally(close),
  };
}
