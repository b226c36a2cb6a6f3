// The way to the server for jobs, which a worker opens when the first of its jobs connects; most workers never do.

import { Queue } from '../../queue/queue.ts';
import type { OpenJobServer } from '../../worker/job-socket/job-passes.ts';
import { version } from '../../system/version.ts';

/** For the queue that a worker works on. */
export const jobServerFor =
  ({ place, environment }: Pick<Queue, 'place' | 'environment'>): OpenJobServer =>
  async (log) => {
    const { serveJobs } = await import('./job-server.ts');
    return serveJobs(await Queue.open({ db: place.db, environment }), version, log);
  };
