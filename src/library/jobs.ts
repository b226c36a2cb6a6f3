// The jobs part of the library, over the HTTP API.

import { QueueError } from '../errors/errors.ts';
import { isFinal } from '../job/job.ts';
import type { Caller } from './caller.ts';
import type { Jobs } from './interface.ts';
import type { Streams } from './streams.ts';

const MOST_AT_ONCE = 1000;
const LOOK_AGAIN_MS = 50;

export const jobsOver = (caller: Caller, streams: Streams): Jobs => ({
  get: (id) => caller.call('getJob', { id }),
  list: (filter, options = {}) => caller.call('listJobs', { filter, ...options }),
  async *all(filter, options = {}) {
    for (let after: string | null | undefined; after !== null; ) {
      const page = await caller.call('listJobs', { filter, limit: MOST_AT_ONCE, ...options, after });
      yield* page.jobs;
      after = page.next;
    }
  },
  count: (filter) => caller.call('countJobs', { filter }),
  wait: async (given, { timeoutSeconds, signal } = {}) => {
    const { history: _, waiting_reasons: __, environment: ___, ...job } = await caller.call('getJob', { id: given });
    if (isFinal(job.state)) return job;
    const late = timeoutSeconds === undefined ? undefined : AbortSignal.timeout(timeoutSeconds * 1000);
    const ends = [signal, late].filter((one) => one !== undefined);
    for await (const event of streams.events([`job:${job.id}`], { signal: AbortSignal.any(ends) })) {
      if (event.type === 'gone') throw new QueueError('job_not_found', { id: job.id });
      if (event.type === 'job' && isFinal(event.data.state)) return event.data;
    }
    signal?.throwIfAborted();
    throw new QueueError('wait_timeout', { seconds: timeoutSeconds ?? 0, ids: job.id, hint: '' });
  },
  retry: (id) => caller.call('retryJob', { id }),
  cancel: (id) => caller.call('cancelJob', { id }),
  delete: async (id) => {
    await caller.call('deleteJob', { id });
  },
  hold: (id, reason) => caller.call('holdJob', { id }, { reason }),
  release: (id) => caller.call('releaseJob', { id }),
  runNow: (id) => caller.call('runJobNow', { id }),
  edit: (id, fields) => caller.call('editJob', { id }, fields),
  prune: async ({ olderThanSeconds, dryRun, ...rest } = {}) => {
    const body = { ...rest, older_than_seconds: olderThanSeconds, dry_run: dryRun };
    const begun = await caller.call('pruneJobs', {}, body);
    if ('count' in begun) return begun.count;
    for (;;) {
      const run = await caller.call('getBulk', { id: begun.bulk });
      if (run.error !== null) throw new QueueError('server_rejected', { problem: run.error, hint: '' });
      if (run.state !== 'running') return run.changed;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  },
  output: async (id, { attempt, stream } = {}) => (await caller.response('getOutput', { id, attempt, stream })).text(),
  follow: (id, options) => streams.output(id, options),
});
