// A worker inside a program that uses the library. It has its own database connection, so that the program's requests
// cannot delay its lease renewals.

import { join } from 'node:path';
import { keepInheritedFilesFromChildren } from '../process/spawn/inherited-files.ts';
import { Queue } from '../queue/queue.ts';
import { jobServerFor } from '../server/job-server/open-job-server.ts';
import { makeWorkerId, startWorker } from '../worker/start-worker.ts';
import type { WorkHandle, WorkOptions } from './interface.ts';

/** The package's programs. This file is in dist/library in the package, and in src/library in the sources. */
const dist = join(import.meta.dirname, '..', '..', 'dist');

export async function work(db: string | undefined, options: WorkOptions): Promise<WorkHandle> {
  const { concurrency = 1, queues = null, drain = false, log = () => {} } = options;
  const queue = await Queue.open({ db });
  const id = makeWorkerId();
  const worker = withoutExperimentalWarnings(() => {
    keepInheritedFilesFromChildren('ignore');
    return startWorker(queue, {
      ...{ id, concurrency, queues, drain, log },
      guard: [join(dist, 'guard.cjs')],
      webhook: [process.execPath, join(dist, 'queuectl.cjs'), '__webhook'],
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
