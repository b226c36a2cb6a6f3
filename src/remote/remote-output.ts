// Reads the output of an attempt over HTTP.

import { QueueError } from '../errors/errors.ts';
import type { Attempt } from '../job/job.ts';
import { NO_OUTPUT, type OutputPart } from '../job/output/output.ts';
import { MERGED, type Stamp, STDERR, STDOUT } from '../job/output/output-stamps.ts';
import type { Answer } from '../library/caller.ts';
import { ReadableOutput } from '../output/readable-output.ts';
import type { RemoteCaller } from './remote-caller.ts';

const STREAMS = { stdout: STDOUT, stderr: STDERR } as const;

export class RemoteOutput extends ReadableOutput {
  private readonly caller: RemoteCaller;
  private bytes = 0;
  private isWhole = false;

  /** Loads the size and the stamps first. */
  static async of(caller: RemoteCaller, jobId: string, attempt: Attempt): Promise<RemoteOutput> {
    const output = new RemoteOutput(caller, jobId, { ...attempt, logPath: null });
    await output.load();
    return output;
  }

  private constructor(caller: RemoteCaller, jobId: string, attempt: Attempt) {
    super({ spansHosts: true, now: () => Date.now() }, jobId, attempt);
    this.caller = caller;
  }

  get stamps(): readonly Stamp[] {
    return this.attempt.output?.stamps ?? [];
  }

  async size(): Promise<number> {
    return this.bytes;
  }

  async read(from: number, length: number): Promise<OutputPart> {
    if (from >= this.bytes && !this.isWhole) await this.load();
    if (from >= this.bytes) return { from, data: Buffer.alloc(0) };
    const last = Math.min(from + length, this.bytes) - 1;
    const { data, headers } = await this.caller.bytes('getOutput', this.asked, {
      headers: { range: `bytes=${from}-${last}` },
    });
    const start = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1];
    return { from: start === undefined ? from : Number(start), data };
  }

  private get asked(): { id: string; run: number } {
    return { id: this.jobId, run: this.attempt.run };
  }

  private async load(): Promise<void> {
    const asked = this.caller.call('getOutputStamps', this.asked);
    const { size, has_marks, stamps } = await asked.catch(ifRemoved);
    const known = stamps.map(({ offset, at, stream }): Stamp => {
      return { at: offset, ms: Date.parse(at), stream: stream === null ? MERGED : STREAMS[stream] };
    });
    this.bytes = size;
    this.isWhole = this.attempt.endedAt !== null;
    const output = has_marks ? null : { ...NO_OUTPUT, bytes: size, stamps: known };
    this.attempt = { ...this.attempt, output };
  }
}

/** The job may have been deleted meanwhile. */
function ifRemoved(error: unknown): Answer<'getOutputStamps'> {
  const isGone = error instanceof QueueError && error.exitCode === 3;
  if (isGone) return { size: 0, has_marks: false, stamps: [] };
  throw error;
}
