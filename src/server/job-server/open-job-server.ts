// Loads the server for jobs when the first job of a worker connects, which is rare.

import { Queue } from '../../queue/queue.ts';
import type { OpenJobServer } from '../../worker/job-socket/job-passes.ts';
import { version } from '../../system/version.ts';

export const jobServerFor =
  ({ place, environment }: Pick<Queue, 'place' | 'environment'>): OpenJobServer =>
  async (log) => {
    const { serveJobs } = await import('./job-server.ts');
    return serveJobs(await Queue.open({ db: place.db, environment }), version, log);
  };
