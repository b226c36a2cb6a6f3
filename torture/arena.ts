// Where torture happens: a queue on a small disk of its own, a fleet of workers, and the list of what was acknowledged.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allPids, hasEnvironment } from '../src/process/proc.ts';
import { Queue } from '../src/queue.ts';
import { Ledger } from './ledger.ts';

const DISK_MIB = 64;
const FLEET = 3;

export class Arena {
  readonly folder = mkdtempSync(join(tmpdir(), 'queuectl-torture-'));
  readonly disk = join(this.folder, 'disk');
  readonly db = join(this.disk, 'queue.db');
  readonly ledger = new Ledger(this.folder);
  /** Ids that the queue said it has, minus those it said it removed. */
  readonly acknowledged = new Set<string>();
  /** Removal was asked for and not acknowledged: may be there or not. */
  readonly doubtful = new Set<string>();
  /** Whether the disk is one that can be filled without harm to others. */
  readonly hasOwnDisk: boolean;
  private readonly offsetFile = join(this.folder, 'clock-offset');
  private readonly fleet = new Set<ChildProcess>();
  private readonly log: number;
  private closed = false;

  constructor() {
    mkdirSync(this.disk);
    this.hasOwnDisk = mount(this.disk);
    this.stepClock(0);
    this.log = openSync(join(this.folder, 'workers.log'), 'a');
  }

  get environment(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: this.folder, QUEUECTL_DB: this.db };
  }

  get workers(): ChildProcess[] {
    return [...this.fleet];
  }

  openQueue(patienceMs = 20_000): Promise<Queue> {
    return Queue.open({ db: this.db, environment: this.environment, cwd: this.folder, patienceMs });
  }

  /** Keeps the fleet at its strength. */
  muster(): void {
    while (!this.closed && this.fleet.size < FLEET) {
      const args = [join(import.meta.dirname, 'worker.ts'), this.db, this.offsetFile, '3'];
      const worker = spawn(process.execPath, args, {
        env: this.environment,
        stdio: ['ignore', this.log, this.log],
      });
      this.fleet.add(worker);
      worker.once('exit', () => this.fleet.delete(worker));
    }
  }

  stepClock(offsetMs: number): void {
    writeFileSync(this.offsetFile, String(Math.round(offsetMs)));
  }

  /** Ends every worker by kill: what they leave behind is for the next ones. */
  async dismiss(): Promise<void> {
    this.closed = true;
    const gone = this.workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const worker of this.workers) {
      worker.kill('SIGCONT');
      worker.kill('SIGKILL');
    }
    await Promise.all(gone);
  }

  /** Every process that belongs to this queue: workers, jobs and what those started. */
  survivors(): number[] {
    return allPids().filter((pid) => pid !== process.pid && hasEnvironment(pid, { QUEUECTL_DB: this.db }));
  }

  remove(): void {
    for (const pid of this.survivors()) process.kill(pid, 'SIGKILL');
    closeSync(this.log);
    // Lazily: a survivor that still has its log open must not keep us, it is part of the verdict.
    if (this.hasOwnDisk) spawnSync('umount', ['-l', this.disk]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A small tmpfs where that is allowed; a plain folder elsewhere. */
function mount(path: string): boolean {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'queuectl-torture', path]);
  return status === 0;
}
