// The library's implementation over the HTTP API, on another machine or in this process, so that both offer the same
// operations.

import type { Caller } from './caller.ts';
import type { Group, Job, NewJob } from './data.ts';
import type { EnqueueOptions, Groups, Jobs, NamedQueues, Queue, Schedules, Workers } from './interface.ts';
import { Streams } from './streams.ts';
import { QueueError } from '../errors/errors.ts';
import { isFinal } from '../job/job.ts';

export interface QueueOverOptions {
  /** How long a stream tries to reconnect. */
  readonly streamPatienceMs: number;
  readonly close: () => Promise<void>;
}

export function queueOver(caller: Caller, { streamPatienceMs, close }: QueueOverOptions): Queue {
  const streams = new Streams(caller, streamPatienceMs);

  function enqueue(job: NewJob, options?: EnqueueOptions): Promise<Job>;
  function enqueue(jobs: readonly NewJob[], options?: EnqueueOptions): Promise<Job[]>;
  async function enqueue(said: NewJob | readonly NewJob[], options: EnqueueOptions = {}): Promise<Job | Job[]> {
    const { idempotencyKey: key } = options;
    if (Array.isArray(said) && said.length === 0) return [];
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const { jobs } = await caller.call('createJobs', {}, said, { headers });
    return Array.isArray(said) ? jobs : (jobs[0] as Job);
  }

  return {
    enqueue,
    jobs: jobsOver(caller, streams),
    schedules: schedulesOver(caller),
    groups: groupsOver(caller),
    queues: queuesOver(caller),
    workers: workersOver(caller),
    status: (queue) => caller.call('getStats', { queue }),
    export: ({ history = false, outputs = false } = {}) =>
      caller.exportLines({ history: `${history}`, outputs: `${outputs}` }),
    events: (topics, options) => streams.events(topics, options),
    close: async () => {
      streams.close();
      await close();
    },
  };
}

const MOST_AT_ONCE = 1000;
const LOOK_AGAIN_MS = 50;

const jobsOver = (caller: Caller, streams: Streams): Jobs => ({
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

const schedulesOver = (caller: Caller): Schedules => ({
  add: (schedule) => caller.call('addSchedule', {}, schedule),
  list: async () => (await caller.call('listSchedules', {})).schedules,
  get: (name) => caller.call('getSchedule', { name }),
  edit: (name, change) => caller.call('editSchedule', { name }, change),
  pause: (name) => caller.call('pauseSchedule', { name }),
  resume: (name) => caller.call('resumeSchedule', { name }),
  run: (name) => caller.call('runSchedule', { name }),
  remove: async (name) => {
    await caller.call('removeSchedule', { name });
  },
});

const GROUPS_AT_ONCE = 1000;

const groupsOver = (caller: Caller): Groups => ({
  list: async () => {
    const groups: Group[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await caller.call('listGroups', { limit: GROUPS_AT_ONCE, after });
      groups.push(...page.groups);
      after = page.next;
    }
    return groups;
  },
  get: (name) => caller.call('getGroup', { name }),
  cancel: (name) => caller.call('cancelGroup', { name }),
  retry: (name) => caller.call('retryGroup', { name }),
  delete: async (name) => {
    await caller.call('deleteGroup', { name });
  },
});

const queuesOver = (caller: Caller): NamedQueues => ({
  list: async () => (await caller.call('listQueues', {})).queues,
  get: (name) => caller.call('getQueue', { name }),
  limit: (name, limits) => caller.call('limitQueue', { name }, limits),
  pause: (name) => caller.call('pauseQueue', { name }),
  resume: (name) => caller.call('resumeQueue', { name }),
  drain: (name) => caller.call('drainQueue', { name }),
});

const workersOver = (caller: Caller): Workers => ({
  list: async () => (await caller.call('listWorkers', {})).workers,
  stop: (id, { force = false } = {}) => caller.call('stopWorker', { id }, { force }),
});
