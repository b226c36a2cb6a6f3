// Jobs, over the HTTP API.

import { QueueError } from '../errors/errors.ts';
import { isFinal } from '../job/job.ts';
import type { Caller } from './caller.ts';
import type { Job, JobCount, JobDetails, JobPage, OutputChunk } from './data.ts';
import type {
  FollowOptions,
  JobEdit,
  Jobs,
  ListOptions,
  OutputOptions,
  PruneOptions,
  WaitOptions,
} from './interface.ts';
import type { Streams } from './streams.ts';

const MOST_AT_ONCE = 1000;
const LOOK_AGAIN_MS = 50;

export class RemoteJobs implements Jobs {
  private readonly caller: Caller;
  private readonly streams: Streams;

  constructor(caller: Caller, streams: Streams) {
    this.caller = caller;
    this.streams = streams;
  }

  get(id: string): Promise<JobDetails> {
    return this.caller.call('getJob', { id });
  }

  list(filter?: string, { sort, limit, after }: ListOptions = {}): Promise<JobPage> {
    return this.caller.call('listJobs', { filter, sort, limit, after });
  }

  async *all(filter?: string, options: Omit<ListOptions, 'after'> = {}): AsyncGenerator<Job> {
    for (let after: string | undefined; ; ) {
      const page: JobPage = await this.list(filter, {
        limit: MOST_AT_ONCE,
        ...options,
        ...(after !== undefined && { after }),
      });
      yield* page.jobs;
      if (page.next === null) return;
      after = page.next;
    }
  }

  count(filter?: string): Promise<JobCount> {
    return this.caller.call('countJobs', { filter });
  }

  async wait(id: string, { timeoutSeconds, signal }: WaitOptions = {}): Promise<Job> {
    const job = await this.get(id);
    const { history: _, waits_for: __, environment: ___, ...known } = job;
    if (isFinal(known.state)) return known;
    const late = timeoutSeconds === undefined ? undefined : AbortSignal.timeout(timeoutSeconds * 1000);
    const ends = [signal, late].filter((one) => one !== undefined);
    for await (const event of this.streams.events([`job:${job.id}`], { signal: AbortSignal.any(ends) })) {
      if (event.type === 'gone') throw new QueueError('job_not_found', { id: job.id });
      if (event.type === 'job' && isFinal(event.data.state)) return event.data;
    }
    signal?.throwIfAborted();
    throw new QueueError('wait_timeout', { seconds: timeoutSeconds ?? 0, ids: job.id, hint: '' });
  }

  retry(id: string): Promise<Job> {
    return this.caller.call('retryJob', { id });
  }

  cancel(id: string): Promise<Job> {
    return this.caller.call('cancelJob', { id });
  }

  async delete(id: string): Promise<void> {
    await this.caller.call('deleteJob', { id });
  }

  hold(id: string, reason?: string): Promise<Job> {
    return this.caller.call('holdJob', { id }, { reason });
  }

  release(id: string): Promise<Job> {
    return this.caller.call('releaseJob', { id });
  }

  runNow(id: string): Promise<Job> {
    return this.caller.call('runJobNow', { id });
  }

  async prune({ olderThanSeconds, dryRun, ...rest }: PruneOptions = {}): Promise<number> {
    const body = { ...rest, older_than_seconds: olderThanSeconds, dry_run: dryRun };
    const begun = await this.caller.call('pruneJobs', {}, body);
    if ('count' in begun) return begun.count;
    for (;;) {
      const run = await this.caller.call('getBulk', { id: begun.bulk });
      if (run.error !== null) throw new QueueError('server_refused', { problem: run.error, hint: '' });
      if (run.state !== 'running') return run.changed;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  edit(id: string, fields: JobEdit): Promise<Job> {
    return this.caller.call('editJob', { id }, fields);
  }

  async output(id: string, { attempt, stream }: OutputOptions = {}): Promise<string> {
    return (await this.caller.response('getOutput', { id, attempt, stream })).text();
  }

  follow(id: string, options?: FollowOptions): AsyncIterable<OutputChunk> {
    return this.streams.output(id, options);
  }
}
