// What an attempt wrote, read through a server.

import { QueueError } from '../errors/errors.ts';
import type { Attempt } from '../job/job.ts';
import { NO_OUTPUT, type OutputPart } from '../job/output/output.ts';
import { MERGED, type Stamp, STDERR, STDOUT } from '../job/output/output-stamps.ts';
import { jobPath } from '../library/caller.ts';
import { AttemptOutput } from '../output/attempt-output.ts';
import type { Store } from '../store/store.ts';
import { timeOf } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';

interface Stamps {
  readonly size: number;
  readonly has_marks: boolean;
  readonly stamps: readonly { offset: number; at: string; stream: 'stdout' | 'stderr' | null }[];
}

const STREAMS = { stdout: STDOUT, stderr: STDERR } as const;

export class RemoteOutput extends AttemptOutput {
  private readonly caller: RemoteCaller;
  private bytes: number;
  private isWhole = false;

  /** Knows by then when its parts came. */
  static async of(
    store: Store,
    caller: RemoteCaller,
    jobId: string,
    attempt: Attempt,
  ): Promise<RemoteOutput> {
    const output = new RemoteOutput(store, caller, jobId, { ...attempt, logPath: null });
    await output.learn();
    return output;
  }

  private constructor(store: Store, caller: RemoteCaller, jobId: string, attempt: Attempt) {
    super(store, jobId, attempt);
    this.caller = caller;
    this.bytes = 0;
  }

  override async size(): Promise<number> {
    return this.bytes;
  }

  override async read(from: number, length: number): Promise<OutputPart> {
    if (from >= this.bytes && !this.isWhole) await this.learn();
    if (from >= this.bytes) return { from, data: Buffer.alloc(0) };
    const last = Math.min(from + length, this.bytes) - 1;
    const { data, headers } = await this.asked(`bytes=${from}-${last}`);
    const start = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1];
    return { from: start === undefined ? from : Number(start), data };
  }

  private asked(range: string) {
    const query = { run: this.attempt.run };
    return this.caller.bytes(`${jobPath(this.jobId)}/output`, { query, headers: { range } });
  }

  private async learn(): Promise<void> {
    const path = `${jobPath(this.jobId)}/output/stamps`;
    const { size, has_marks, stamps } = await this.caller
      .get<Stamps>(path, { run: this.attempt.run })
      .catch(ifRemoved);
    const known = stamps.map(({ offset, at, stream }): Stamp => {
      return { at: offset, ms: timeOf(at), stream: stream === null ? MERGED : STREAMS[stream] };
    });
    this.bytes = size;
    this.isWhole = this.attempt.endedAt !== null;
    const output = has_marks ? null : { ...NO_OUTPUT, bytes: size, stamps: known };
    this.attempt = { ...this.attempt, output };
  }
}

/** Its job was deleted meanwhile. */
function ifRemoved(error: unknown): Stamps {
  const isGone = error instanceof QueueError && error.exitCode === 3;
  if (isGone) return { size: 0, has_marks: false, stamps: [] };
  throw error;
}
