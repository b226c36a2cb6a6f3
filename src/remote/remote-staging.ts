// Any number of new jobs on their way to a server. They gather as JSON, in a file when they are many, until the last one was
// found good; then they go in by one request if one can hold them, all or none, else by several, one after the other. Each
// request has a key of its own, so that it can be sent again when its answer was lost and is still done once.

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

/** Of each of several requests: small, so that a server that stores them keeps nobody waiting. */
const REQUEST_BYTES = 1024 * 1024;

export class RemoteStaging implements Staging {
  readonly instead = new Map<string, string>();
  private readonly caller: RemoteCaller;
  private readonly wireOf: (job: NewJob) => Json;
  private readonly onSent: (jobs: number) => void;
  private readonly key = newJobId(randomBytes);
  private readonly seen = new SeenIds();
  /** What is not in the file. */
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

  /** The server would only see it when the first of the two is in. */
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

  /** Returns how many were enqueued: a unique job may be there already. */
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

  /** A server that died over them may have stored them, all or none, and not that it did. */
  private async areThere(texts: readonly string[]): Promise<boolean> {
    const ids = [texts[0], texts.at(-1)].map((text) => idIn(text ?? '{}'));
    return (await jobsOf(this.caller, [...new Set(ids)], {})).length === new Set(ids).size;
  }

  /** Those of an earlier request may be gone by now: then nothing is known of each. */
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
