// What an attempt wrote, wherever it ran: from its log file where that is, else from the copy that the store keeps.
// The copy is the same byte for byte, so a reader does not notice when the file is gone halfway.

import { closeSync, openSync, readSync } from 'node:fs';
import type { Attempt } from './job/job.ts';
import type { Lease, Outputs, Store } from './store/store.ts';

const CHUNK = 65_536;
const PIECE = 1_048_576;

export class AttemptOutput {
  private readonly outputs: Outputs | null;
  private readonly jobId: string;
  private readonly number: number;
  private readonly path: string;

  constructor(store: Store, jobId: string, attempt: Pick<Attempt, 'number' | 'logPath'>) {
    this.outputs = store.outputs;
    this.jobId = jobId;
    this.number = attempt.number;
    this.path = attempt.logPath;
  }

  /** At most `length` bytes from an offset on; fewer at the end, none when nobody has them. */
  async read(from: number, length: number): Promise<Buffer> {
    const here = readFile(this.path, from, length);
    if (here !== null) return here;
    return (await this.outputs?.read(this.jobId, this.number, from, length)) ?? Buffer.alloc(0);
  }

  /** All of it from an offset on, in pieces. */
  async *chunks(from = 0): AsyncGenerator<Buffer> {
    const length = this.outputs === null ? CHUNK : PIECE; // fewer questions to a server
    for (let at = from; ; ) {
      const chunk = await this.read(at, length);
      if (chunk.length === 0) return;
      yield chunk;
      at += chunk.length;
    }
  }
}

/** Copies a whole log file, for an attempt whose worker can no longer do it. A file that is gone is no loss now. */
export async function keepWhole(outputs: Outputs, lease: Lease, path: string): Promise<void> {
  for (let from = 0; ; from += PIECE) {
    const data = readFile(path, from, PIECE);
    if (data === null || data.length === 0) return;
    await outputs.keep([{ seq: lease.seq, number: lease.number, from, data }]);
  }
}

/** null: there is no such file here. */
function readFile(path: string, from: number, length: number): Buffer | null {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const chunk = Buffer.allocUnsafe(length);
    return chunk.subarray(0, readSync(fd, chunk, 0, length, Math.max(0, from)));
  } finally {
    closeSync(fd);
  }
}
