// The library's implementation over the HTTP API, on another machine or in this process, so that both offer the same
// operations.

import type { Caller } from './caller.ts';
import type { Job, NewJob } from './data.ts';
import type { EnqueueOptions, Queue } from './interface.ts';
import { jobsOver } from './jobs.ts';
import { groupsOver, queuesOver, schedulesOver, workersOver } from './nouns.ts';
import { Streams } from './streams.ts';

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
