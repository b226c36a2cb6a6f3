// On-disk output of a running job, which survives the death of its worker. One file holds the first half of the limit.
// Two more files take the rest in turns, the older one being replaced, so that any amount of output needs at most one
// and a half times the limit. Bytes never move within these files. They are removed after the attempt's output is
// recorded.

import { appendFileSync, closeSync, rmSync } from 'node:fs';
import type { OutputPart } from '../../job/output/output.ts';
import { type Stamps, textOfStamps } from '../../job/output/output-stamps.ts';
import { openOwnFile } from '../../system/own-file.ts';
import { openInFolder, writeAll, writeWhole } from '../../system/files.ts';
import { type Available, HEADER_BYTES, headFile, stampsFile, tailFiles } from './journal-files.ts';
import { filesOfJobs } from './spare-files.ts';

interface TailFile {
  readonly path: string;
  readonly from: number;
  to: number;
}

export class Journal {
  private readonly path: string;
  private fd: number | null = null;
  private headTo = 0;
  private tail: TailFile[] = [];
  private noted = { revision: -1, count: 0 };

  constructor(path: string) {
    this.path = path;
  }

  /** Available head and tail. */
  get available(): Available {
    const [older] = this.tail;
    return { head: this.headTo, tailFrom: older?.from ?? this.headTo, bytes: this.bytes };
  }

  get bytes(): number {
    return this.tail.at(-1)?.to ?? this.headTo;
  }

  /** Returns the number of bytes written, which is lower if the disk is full or file descriptors run out. */
  append(part: OutputPart, limit: number): number {
    let done = 0;
    try {
      while (done < part.data.length) {
        const from = part.from + done;
        const { room, position } = this.placeFor(from, limit);
        const data = part.data.subarray(done, done + room);
        writeAll(this.fd ?? -1, data, position);
        this.grewTo(from + data.length);
        done += data.length;
      }
    } catch {
      // The rest is retried later.
    }
    return done;
  }

  /** Writes stamps for readers of a running job. Failures are ignored, because missing times are tolerable. */
  noteStamps(stamps: Stamps): void {
    const { revision, count } = this.noted;
    this.noted = { revision: stamps.revision, count: stamps.all.length };
    const file = stampsFile(this.path);
    try {
      if (revision !== stamps.revision) writeWhole(file, textOfStamps(stamps.all));
      else if (stamps.all.length > count) append(file, ` ${textOfStamps(stamps.all, count)}`);
    } catch {
      this.noted = { revision: -1, count: 0 };
    }
  }

  close(): void {
    if (this.fd === null) return;
    closeSync(this.fd);
    this.fd = null;
    filesOfJobs.remove();
  }

  /** Returns the position of the byte at this offset in the file that is open then, and the room after it. */
  private placeFor(from: number, limit: number): { room: number; position: number } {
    const headLimit = Math.max(1, Math.floor(limit / 2));
    if (this.tail.length === 0 && from === this.headTo && from < headLimit) {
      this.fd ??= this.open(headFile(this.path));
      return { room: headLimit - from, position: from };
    }
    const tailLimit = Math.max(1, limit - headLimit);
    const current = this.tail.at(-1);
    const fits = current !== undefined && current.to === from && from - current.from < tailLimit;
    const file = fits ? current : this.nextTail(from);
    return { room: file.from + tailLimit - from, position: HEADER_BYTES + from - file.from };
  }

  /** Replaces the older tail with a new file, so that readers of the old one can continue. */
  private nextTail(from: number): TailFile {
    const last = this.tail.at(-1);
    const [first = '', second = ''] = tailFiles(this.path);
    const path = last?.path === first ? second : first;
    this.tail = last ? [last] : [];
    rmSync(path, { force: true });
    const fd = this.open(path);
    this.close();
    this.fd = fd;
    const file = { path, from, to: from };
    this.tail = last?.to === from ? [last, file] : [file];
    writeAll(fd, Buffer.from(String(from).padEnd(HEADER_BYTES)), 0);
    return file;
  }

  private grewTo(to: number): void {
    const current = this.tail.at(-1);
    if (current) current.to = to;
    else this.headTo = to;
  }

  private open(path: string): number {
    const fd = openInFolder(path, 'wx');
    try {
      filesOfJobs.add();
      return fd;
    } catch (error) {
      closeSync(fd);
      rmSync(path, { force: true });
      throw error;
    }
  }
}

function append(path: string, text: string): void {
  const fd = openOwnFile(path);
  try {
    appendFileSync(fd, text);
  } finally {
    closeSync(fd);
  }
}
