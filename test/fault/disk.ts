// A queue on a small separate disk, which a test can fill or make read-only without affecting others. The disk is a
// tmpfs at the queue's home; the test's directory is outside, so that jobs can always write there.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Queue } from '../../src/queue/queue.ts';
import { TestQueue } from '../cli/support.ts';
import { processesWith } from '../support/processes.ts';
import { Fleet, send } from '../support/fleet.ts';
import { newFolder, removeFolder } from '../support/folder.ts';

const MIB = 1024 * 1024;
const SQLITE_FULL = 13;
const IN_NAMESPACE = 'QUEUECTL_TEST_OWN_MOUNTS';

interface Ending {
  after(work: () => void | Promise<void>): void;
}

const succeeds = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

/**
 * Registers tests that mount disks: directly if allowed, else in a separate mount namespace. If that is not allowed
 * either, a test reports it.
 */
export function testsWithDisks(file: string, register: () => void): void {
  if (canMount()) register();
  else if (process.env[IN_NAMESPACE] === undefined && succeeds('unshare', '-rm', 'true')) {
    test('every test of this file passes in a separate mount namespace', () => inNamespace(file));
  } else {
    test('this machine does not allow mounting a separate disk', () => assert.equal(canMount(), false));
  }
}

function inNamespace(file: string): void {
  const { NODE_TEST_CONTEXT, ...environment } = process.env;
  const env = { ...environment, [IN_NAMESPACE]: '1' };
  const args = ['-rm', process.execPath, '--test', '--test-reporter=spec', file];
  const { status, stdout } = spawnSync('unshare', args, { env, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
  assert.doesNotMatch(stdout, /rejects a disk/, stdout);
}

function canMount(): boolean {
  const folder = newFolder();
  try {
    return mountTmpfs(folder, 1) && succeeds('umount', folder);
  } finally {
    removeFolder(folder);
  }
}

const mountTmpfs = (folder: string, sizeMib: number): boolean =>
  succeeds('mount', '-t', 'tmpfs', '-o', `size=${sizeMib}m,mode=700`, 'queuectl-test', folder);

export async function newDisk(
  t: Ending,
  sizeMib: number,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Disk> {
  const folder = newFolder();
  const cli = new TestQueue(folder);
  fs.mkdirSync(cli.home);
  assert.ok(mountTmpfs(cli.home, sizeMib));
  let queue: Queue | undefined;
  t.after(async () => {
    await queue?.close();
    try {
      await dismiss(cli);
    } finally {
      while (succeeds('umount', '-l', cli.home)); // a read-only mount may be on top
      removeFolder(folder);
    }
  });
  queue = await Queue.open({ environment: { QUEUECTL_HOME: cli.home }, cwd: folder });
  const disk = new Disk(cli, queue);
  await disk.set(settings);
  return disk;
}

async function dismiss(cli: TestQueue): Promise<void> {
  for (const { pid, command } of processesWith(cli.folder)) {
    if (!command.includes('worker run')) continue;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) send(pid, signal);
  }
  await cli.expectNoProcesses();
}

/** A fleet whose queue is on the disk. */
export class Disk extends Fleet {
  private get filler(): string {
    return path.join(this.cli.home, 'filler');
  }

  /** Fills the disk except for `leave` bytes. */
  fill(leave = 0): void {
    const fd = fs.openSync(this.filler, 'a');
    try {
      for (;;) fs.writeSync(fd, Buffer.alloc(MIB, 1));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      if (leave > 0) fs.ftruncateSync(fd, fs.fstatSync(fd).size - leave);
    } finally {
      fs.closeSync(fd);
    }
  }

  /** Fills the disk and the free pages of the database files, so that not one page can be written. */
  fillToTheLastPage(): void {
    this.fill();
    const db = new DatabaseSync(this.cli.db, { timeout: 5000 });
    try {
      const version = db.prepare('PRAGMA user_version').get()?.user_version;
      for (;;) db.exec(`PRAGMA user_version = ${version}`); // the smallest possible change, without effect
    } catch (error) {
      assert.equal((error as { errcode?: number }).errcode, SQLITE_FULL, String(error));
    } finally {
      db.close();
    }
  }

  free(): void {
    fs.rmSync(this.filler);
  }

  /** Empties the database's write-ahead log without shrinking it, so that changes need no disk space. */
  makeRoomWithin(): void {
    const db = new DatabaseSync(this.cli.db, { timeout: 5000 });
    db.exec(`CREATE TABLE filler (text); INSERT INTO filler VALUES (zeroblob(${2 * MIB})); DROP TABLE filler`);
    db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    db.close();
  }

  /** Applies to files opened from now on. */
  makeReadOnly(): void {
    assert.ok(succeeds('mount', '--bind', this.cli.home, this.cli.home));
    assert.ok(succeeds('mount', '-o', 'remount,bind,ro', this.cli.home));
  }

  makeWritable(): void {
    assert.ok(succeeds('umount', '-l', this.cli.home));
  }

  async ids(): Promise<string[]> {
    return (await this.queue.list({ sort: 'created', descending: false, limit: null })).map(({ id }) => id);
  }
}
