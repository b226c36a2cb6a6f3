// Files being uploaded for an import. They arrive in parts, in order, and are assembled in unnamed files on disk, so
// that even a crash leaves nothing behind.

import { closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { QueueError } from '../errors/errors.ts';
import { newJobId } from '../job/id.ts';
import { namelessFile, writeAll } from '../system/files.ts';
import { randomBytes } from '../system/random.ts';
import type { Limits } from './http/server-limits.ts';

type Bounds = Pick<Limits, 'importBytes' | 'imports' | 'importWithinMs'>;

export interface Upload {
  readonly id: string;
  /** Number of bytes received. */
  readonly received: number;
}

interface Spool extends Upload {
  /** The client that began the upload; other clients cannot access it. */
  readonly by: string;
  readonly fd: number;
  received: number;
  isReceiving: boolean;
  /** Deletes the file if no further part arrives. */
  readonly timer: NodeJS.Timeout;
}

export class Uploads {
  private readonly bounds: Bounds;
  private readonly spools = new Map<string, Spool>();

  constructor(bounds: Bounds) {
    this.bounds = bounds;
  }

  /** Throws too_busy. */
  begin(by: string): Upload {
    if (this.spools.size >= this.bounds.imports) throw new QueueError('too_busy');
    const id = newJobId(randomBytes);
    const timer = setTimeout(() => this.drop(id, by), this.bounds.importWithinMs).unref();
    const spool = { id, by, fd: namelessFile(), received: 0, isReceiving: false, timer };
    this.spools.set(id, spool);
    return spool;
  }

  /** Throws import_not_found. */
  get(id: string, by: string): Upload {
    return this.spoolOf(id, by);
  }

  /** Discards an incomplete part. Throws import_part_misplaced or body_too_large. */
  async receive(id: string, by: string, from: number, part: AsyncIterable<Uint8Array>): Promise<Upload> {
    const spool = this.spoolOf(id, by);
    if (spool.isReceiving || from !== spool.received)
      throw new QueueError('import_part_misplaced', { from, received: spool.received });
    spool.isReceiving = true;
    try {
      let at = from;
      for await (const chunk of part) {
        this.spoolOf(id, by); // throws if the upload was dropped meanwhile, which closes the file
        if (at + chunk.length > this.bounds.importBytes)
          throw new QueueError('body_too_large', { most: this.bounds.importBytes });
        write(spool.fd, chunk, at);
        at += chunk.length;
      }
      spool.received = at;
      spool.timer.refresh();
      return spool;
    } finally {
      spool.isReceiving = false;
    }
  }

  /** Returns the open file, which the caller must close. */
  take(id: string, by: string): number {
    const { fd, isReceiving, received } = this.spoolOf(id, by);
    if (isReceiving) throw new QueueError('import_part_misplaced', { from: received, received });
    this.forget(id);
    return fd;
  }

  /** Ignores an unknown upload. */
  drop(id: string, by: string): void {
    const spool = this.spools.get(id);
    if (spool?.by !== by) return;
    this.forget(id);
    closeSync(spool.fd);
  }

  close(): void {
    for (const { id, by } of [...this.spools.values()]) this.drop(id, by);
  }

  private spoolOf(id: string, by: string): Spool {
    const spool = this.spools.get(id);
    if (spool?.by !== by) throw new QueueError('import_not_found', { id });
    return spool;
  }

  private forget(id: string): void {
    clearTimeout(this.spools.get(id)?.timer);
    this.spools.delete(id);
  }
}

function write(fd: number, chunk: Uint8Array, at: number): void {
  try {
    writeAll(fd, chunk, at);
  } catch (error) {
    throw new QueueError('unwritable_file', { path: tmpdir(), problem: (error as Error).message }, { cause: error });
  }
}
