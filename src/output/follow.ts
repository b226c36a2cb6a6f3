// Follows the output of all attempts of a job until it is finished.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Attempt, isFinal, type Job } from '../job/job.ts';
import type { AnyQueue } from '../queue/interface.ts';
import type { Receiver } from './receiver.ts';

const LOOK_AGAIN_MS = 50;
/** Poll interval if each poll is a server request. */
const ASK_AGAIN_MS = 250;

export interface FollowOptions {
  /** Skips attempts up to this run. */
  readonly afterRun?: number;
  /** Selects attempts whose output is shown elsewhere. */
  readonly skip?: (attempt: Attempt) => boolean;
  readonly signal?: AbortSignal;
  /** Called while waiting. */
  readonly idle?: (job: Job) => Promise<void> | void;
}

/** Resolves to the finished job, or to null if it was deleted or the signal was aborted. */
export async function follow(
  queue: AnyQueue,
  id: string,
  receiver: Receiver,
  options: FollowOptions = {},
): Promise<Job | null> {
  const follower = new Follower(queue, id, receiver, options);
  while (!options.signal?.aborted) {
    const job = await queue.get(id);
    if (!job) return null;
    await follower.catchUp(job); // after reading the job, so that the attempt that finished it is included
    if (isFinal(job.state)) return job;
    await options.idle?.(job);
    await sleep(queue.spansHosts ? ASK_AGAIN_MS : LOOK_AGAIN_MS);
  }
  return null;
}

class Follower {
  private readonly queue: AnyQueue;
  private readonly id: string;
  private readonly receiver: Receiver;
  private readonly options: FollowOptions;
  /** All runs up to this one are shown; of the next one, the bytes before the offset. */
  private done: number;
  private offset = 0;
  private hasBegun = false;

  constructor(queue: AnyQueue, id: string, receiver: Receiver, options: FollowOptions) {
    this.queue = queue;
    this.id = id;
    this.receiver = receiver;
    this.options = options;
    this.done = options.afterRun ?? 0;
  }

  async catchUp(job: Job): Promise<void> {
    for (const attempt of await this.queue.history(this.id)) {
      if (attempt.run <= this.done) continue;
      if (!this.options.skip?.(attempt)) await this.show(attempt, job);
      if (attempt.endedAt !== null) this.finish(attempt);
    }
  }

  private async show(attempt: Attempt, job: Job): Promise<void> {
    if (!this.hasBegun) this.receiver.begin(attempt, job.command);
    this.hasBegun = true;
    const output = await this.queue.outputOf(job, attempt);
    if (this.receiver.isChoosy && !output.knowsStreams) return; // wait until it has finished
    for await (const part of output.parts(this.offset)) {
      for (const stretch of output.stretchesIn(part)) this.receiver.add(stretch);
      this.offset = part.from + part.data.length;
      await sleep(0); // yields to the event loop
      if (this.options.signal?.aborted) return;
    }
  }

  private finish(attempt: Attempt): void {
    if (this.hasBegun) this.receiver.end(attempt);
    this.done = attempt.run;
    this.offset = 0;
    this.hasBegun = false;
  }
}
