// Pipes for the output of jobs. Node's own are sockets, which a script cannot open as /dev/stderr; so they come from the
// C library, and where Node has no node:ffi (Node 24, macOS) they are named pipes that lose their name at once.
// The end that a job gets is open for reading too: so a worker that dies or stalls does not end the job by SIGPIPE.

import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Pipe {
  readonly readEnd: number;
  /** For the job. */
  readonly writeEnd: number;
}

export interface Pipes {
  open(): Pipe;
  /** Never waits: 0 when nobody can write any more, -1 when there is nothing now. */
  read(readEnd: number, into: Buffer): number;
}

export const makePipes = (): Pipes => pipesByFfi() ?? new NamedPipes();

const NONBLOCK = 0o4000;
const CLOEXEC = 0o2000000;

/** 64-bit Linux, where Node brings node:ffi; null elsewhere. */
export function pipesByFfi(): Pipes | null {
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) return null;
  try {
    const { functions: c } = process.getBuiltinModule('node:ffi').dlopen(null, {
      pipe2: { arguments: ['buffer', 'int32'], return: 'int32' },
      read: { arguments: ['int32', 'buffer', 'uint64'], return: 'int64' },
    });
    const ends = Buffer.alloc(8);
    const open = (): Pipe => {
      if (c.pipe2(ends, NONBLOCK | CLOEXEC) !== 0) throw whyNoPipe();
      return reopened(ends.readInt32LE(0), ends.readInt32LE(4));
    };
    return { open, read: (readEnd, into) => Number(c.read(readEnd, into, BigInt(into.length))) };
  } catch {
    return null; // a Node without it
  }
}

/** Opened again, the job's end has modes of its own: it waits when the pipe is full, and keeps a reader there. */
function reopened(readEnd: number, writeEnd: number): Pipe {
  try {
    return { readEnd, writeEnd: openSync(`/proc/self/fd/${writeEnd}`, constants.O_RDWR) };
  } catch (error) {
    closeSync(readEnd);
    throw error;
  } finally {
    closeSync(writeEnd);
  }
}

/** node:ffi does not say why. In practice there are too many open files, and then opening one fails as well. */
function whyNoPipe(): Error {
  try {
    closeSync(openSync('/dev/null', 'r'));
  } catch (error) {
    return error as Error;
  }
  return Object.assign(new Error('EMFILE: too many open files, pipe'), { code: 'EMFILE' });
}

/** Made many at a time, as each time takes a process. */
const MADE_AT_ONCE = 16;

export class NamedPipes implements Pipes {
  private folder: string | null = null;
  private paths: string[] = [];
  private made = 0;

  open(): Pipe {
    if (this.paths.length === 0) this.make();
    const path = this.paths.pop() ?? '';
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return { readEnd, writeEnd: openSync(path, constants.O_RDWR) };
    } catch (error) {
      closeSync(readEnd);
      throw error;
    } finally {
      unlinkSync(path);
    }
  }

  read(readEnd: number, into: Buffer): number {
    try {
      return readSync(readEnd, into);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return -1;
      throw error;
    }
  }

  private make(): void {
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    this.folder ??= temporaryFolder();
    const paths = Array.from({ length: MADE_AT_ONCE }, () => join(this.folder ?? '', String(++this.made)));
    const { error, status, stderr } = spawnSync('mkfifo', ['-m', '600', ...paths], { encoding: 'utf8' });
    if (error) throw error;
    if (status !== 0) throw new Error(`cannot create a pipe: ${stderr.trim()}`);
    this.paths = paths;
  }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'queuectl-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
