// A worker in the process of a program that uses the library. It has a connection to the store of its own: what the program
// asks for does not keep it from its leases.

import { keepInheritedFilesFromChildren } from '../process/spawn/inherited-files.ts';
import { Queue } from '../queue/queue.ts';
import { jobServerFor } from '../server/job-server/open-job-server.ts';
import { makeWorkerId, startWorker } from '../worker/start-worker.ts';
import { guardProgram, webhookProgram } from './beside.ts';
import type { WorkHandle, WorkOptions } from './interface.ts';

export async function work(db: string | undefined, options: WorkOptions): Promise<WorkHandle> {
  const { concurrency = 1, queues = null, drain = false, log = () => {} } = options;
  const queue = await Queue.open({ db });
  const id = makeWorkerId();
  const worker = withoutExperimentalWarnings(() => {
    keepInheritedFilesFromChildren();
    return startWorker(queue, {
      ...{ id, concurrency, queues, drain, log },
      guard: guardProgram(),
      webhook: webhookProgram(),
      jobServer: jobServerFor(queue),
      ownsProcess: false,
    });
  });
  const ended = worker.run().finally(() => queue.close());
  ended.catch(() => {}); // those who wait for it get the error
  return {
    id,
    ended,
    stop: async ({ force = false } = {}) => {
      worker.stop(force ? 'force' : 'graceful');
      await ended.catch(() => {});
    },
  };
}

/** node:ffi is used where it is there, with something else in its place where it is not: that is nobody else's business. */
function withoutExperimentalWarnings<T>(does: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = (...details: unknown[]) => {
    if (details[1] !== 'ExperimentalWarning') Reflect.apply(emitWarning, process, details);
  };
  try {
    return does();
  } finally {
    process.emitWarning = emitWarning;
  }
}
