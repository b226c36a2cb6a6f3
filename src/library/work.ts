// A worker inside a program that uses the library. It has its own database connection, so that the program's requests
// cannot delay its lease renewals.

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
  ended.catch(() => {}); // callers that await it get the error
  return {
    id,
    ended,
    stop: async ({ force = false } = {}) => {
      worker.stop(force ? 'force' : 'graceful');
      await ended.catch(() => {});
    },
  };
}

/** node:ffi is optional, so its experimental warning is of no use to the program. */
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
