// Pipes for job output. Node's pipes are sockets, which a script cannot open as /dev/stderr, so these come from the C
// library. Without node:ffi (Node 24, macOS) they are named pipes that are unlinked at once. The job's end is also open
// for reading, so that a job does not get SIGPIPE if its worker dies or stalls.

import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cFunctions } from '../../system/c-functions.ts';

export interface Pipe {
  readonly readEnd: number;
  /** The job's end. */
  readonly writeEnd: number;
}

export interface Pipes {
  open(): Pipe;
  /** Never blocks. Returns 0 if no process can write any more, and -1 if there is no data now. */
  read(readEnd: number, into: Buffer): number;
}

export const makePipes = (): Pipes => pipesByFfi() ?? new NamedPipes();

const NONBLOCK = 0o4000;
const CLOEXEC = 0o2000000;

/** Returns null except on 64-bit Linux with node:ffi. */
export function pipesByFfi(): Pipes | null {
  const c = cFunctions({
    pipe2: { arguments: ['buffer', 'int32'], return: 'int32' },
    read: { arguments: ['int32', 'buffer', 'uint64'], return: 'int64' },
  });
  if (c === null) return null;
  const ends = Buffer.alloc(8);
  const open = (): Pipe => {
    if (c.pipe2(ends, NONBLOCK | CLOEXEC) !== 0) throw whyNoPipe();
    return reopened(ends.readInt32LE(0), ends.readInt32LE(4));
  };
  return { open, read: (readEnd, into) => Number(c.read(readEnd, into, BigInt(into.length))) };
}

/** Reopening gives the job's end its own file status: it blocks on a full pipe and keeps a reader open. */
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

/** node:ffi does not report errno. The usual cause is too many open files, in which case opening a file fails too. */
function whyNoPipe(): Error {
  try {
    closeSync(openSync('/dev/null', 'r'));
  } catch (error) {
    return error as Error;
  }
  return Object.assign(new Error('EMFILE: too many open files, pipe'), { code: 'EMFILE' });
}

/** Created in batches, because each batch starts a process. */
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
