// Sends any number of new jobs to a server. They are collected as JSON, in a file if there are many, until all are
// valid. Then one request enqueues all or none of them, or several requests do so in order if they are too large for
// one. Each request has its own idempotency key, so that it can be repeated after a lost response.

import { closeSync } from 'node:fs';
import { QueueError } from '../errors/errors.ts';
import { newJobId } from '../job/id.ts';
import type { NewJob } from '../job/job.ts';
import type { Json } from '../job/wire.ts';
import { namelessFile, writeAll } from '../system/files.ts';
import { randomBytes } from '../system/random.ts';
import type { Staging } from '../store/store.ts';
import { LineFile } from '../transfer/line-file.ts';
import { hashOf, SeenIds } from '../transfer/seen-ids.ts';
import type { RemoteCaller } from './remote-caller.ts';
import { jobsOf } from './remote-jobs.ts';
import { BODY_BYTES, expectToFit } from './request-size.ts';

/** Size of each of several requests. Small, so that other clients of the server need not wait long. */
const REQUEST_BYTES = 1024 * 1024;

export class RemoteStaging implements Staging {
  readonly instead = new Map<string, string>();
  private readonly caller: RemoteCaller;
  private readonly wireOf: (job: NewJob) => Json;
  private readonly onSent: (jobs: number) => void;
  private readonly key = newJobId(randomBytes);
  private readonly seen = new SeenIds();
  /** Jobs that are not in the file. */
  private gathered: string[] = [];
  private gatheredBytes = 0;
  private file: { readonly fd: number; size: number } | null = null;

  constructor(caller: RemoteCaller, wireOf: (job: NewJob) => Json, onSent: (jobs: number) => void) {
    this.caller = caller;
    this.wireOf = wireOf;
    this.onSent = onSent;
  }

  async add(jobs: readonly NewJob[]): Promise<void> {
    for (const job of jobs) {
      const text = JSON.stringify(this.wireOf(job));
      const bytes = Buffer.byteLength(text) + 1;
      expectToFit(bytes, `the request for job '${job.id}'`);
      this.seen.add(job.id);
      this.gathered.push(text);
      this.gatheredBytes += bytes;
      if (this.gatheredBytes > BODY_BYTES - 2) this.spool();
    }
  }

  async commit(): Promise<number> {
    if (this.file === null) return this.send(this.gathered, 0);
    this.spool();
    this.expectEachOnce();
    let [sent, enqueued] = [0, 0];
    for (const texts of this.requests()) {
      enqueued += await this.send(texts, sent).catch((error: unknown) => {
        throw sent === 0 ? error : incomplete(error, sent);
      });
      sent += texts.length;
      this.onSent(sent);
    }
    return enqueued;
  }

  async discard(): Promise<void> {
    if (this.file) closeSync(this.file.fd);
    this.file = null;
  }

  private spool(): void {
    this.file ??= { fd: namelessFile(), size: 0 };
    const data = Buffer.from(this.gathered.map((text) => `${text}\n`).join(''));
    writeAll(this.file.fd, data, this.file.size);
    this.file.size += data.length;
    [this.gathered, this.gatheredBytes] = [[], 0];
  }

  private *lines(): Generator<string> {
    if (this.file) for (const { text } of new LineFile(this.file.fd).lines()) yield text;
  }

  private *requests(): Generator<string[]> {
    let [texts, bytes]: [string[], number] = [[], 0];
    for (const text of this.lines()) {
      const more = Buffer.byteLength(text) + 1;
      if (texts.length > 0 && bytes + more > REQUEST_BYTES) {
        yield texts;
        [texts, bytes] = [[], 0];
      }
      texts.push(text);
      bytes += more;
    }
    yield texts;
  }

  /** The server would notice a duplicate only after storing the first of the two. */
  private expectEachOnce(): void {
    const twice = this.seen.twice();
    if (twice.size === 0) return;
    const before = new Set<string>();
    let position = 0;
    for (const text of this.lines()) {
      position++;
      const id = idIn(text);
      if (before.has(id)) throw new QueueError('job_exists', { id, position });
      if (twice.has(hashOf(id))) before.add(id);
    }
  }

  /** Returns the number of enqueued jobs; a unique job may already exist. */
  private async send(texts: readonly string[], sentBefore: number): Promise<number> {
    if (texts.length === 0) return 0;
    let isRepeated = false;
    try {
      const key = `${this.key}-${sentBefore}`;
      const { jobs } = await this.caller.createOnce(`[${texts.join(',')}]`, key, () => {
        isRepeated = true;
      });
      return texts.length - this.noteInstead(texts, jobs);
    } catch (error) {
      if (isRepeated && isTaken(error) && (await this.areThere(texts))) return texts.length;
      throw error;
    }
  }

  /** A crashed server may have stored the jobs, all or none, without recording the request. */
  private async areThere(texts: readonly string[]): Promise<boolean> {
    const ids = [texts[0], texts.at(-1)].map((text) => idIn(text ?? '{}'));
    return (await jobsOf(this.caller, [...new Set(ids)], {})).length === new Set(ids).size;
  }

  /** Jobs of a repeated request may be deleted by now. Then the response cannot be matched with the request. */
  private noteInstead(texts: readonly string[], jobs: readonly { readonly id: string }[]): number {
    if (jobs.length < texts.length) return 0;
    let left = 0;
    for (const [i, text] of texts.entries()) {
      const id = idIn(text);
      const stored = jobs[i]?.id ?? id;
      if (stored === id) continue;
      this.instead.set(id, stored);
      left++;
    }
    return left;
  }
}

const idIn = (text: string): string => (JSON.parse(text) as { id: string }).id;

const isTaken = (error: unknown): boolean => error instanceof QueueError && error.code === 'job_exists';

const incomplete = (error: unknown, jobs: number): QueueError =>
  new QueueError(
    'enqueue_incomplete',
    { jobs, where: `job ${jobs + 1}`, problem: (error as Error).message },
    { cause: error },
  );
