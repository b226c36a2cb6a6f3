// A file that appears only when it is complete: it is written under a temporary name and renamed at the end.

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { QueueError } from '../errors/errors.ts';

const GATHERED = 262_144;

export class NewFile {
  private readonly path: string;
  private readonly beside: string;
  private readonly fd: number;
  private isOpen = true;
  private gathered: string[] = [];
  private length = 0;

  constructor(path: string, replaces: boolean) {
    if (!replaces && existsSync(path)) throw new QueueError('file_exists', { path });
    this.path = path;
    this.beside = `${path}.${process.pid}.part`;
    this.fd = this.attempt(() => openSync(this.beside, 'wx', 0o600));
  }

  write(text: string): void {
    this.gathered.push(text);
    this.length += text.length;
    if (this.length >= GATHERED) this.flush();
  }

  finish(): void {
    this.flush();
    this.attempt(() => {
      fsyncSync(this.fd);
      this.close();
      renameSync(this.beside, this.path);
    });
  }

  /** Deletes an unfinished file. */
  discard(): void {
    this.close();
    rmSync(this.beside, { force: true });
  }

  private flush(): void {
    const data = Buffer.from(this.gathered.join(''));
    [this.gathered, this.length] = [[], 0];
    this.attempt(() => {
      for (let at = 0; at < data.length; ) at += writeSync(this.fd, data, at);
    });
  }

  private close(): void {
    if (this.isOpen) closeSync(this.fd);
    this.isOpen = false;
  }

  private attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const { message } = error as Error;
      throw new QueueError('unwritable_file', { path: this.path, problem: message }, { cause: error });
    }
  }
}
