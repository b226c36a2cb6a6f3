// A scene for rescue tests: a real store, workers, a rescuer, and a monotonic clock that the test moves. Times are
// those of the rescuer; its settings determine how often it checks.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { Rescue, type Rescuer } from '../../src/maintenance/rescue.ts';
import { ownIdentity } from '../../src/process/tree/identity.ts';
import { processEntry } from '../../src/process/tree/proc.ts';
import { Settings, type Stored } from '../../src/settings/settings.ts';
import type { NewWorker, Store } from '../../src/store/store.ts';
import { type Bench, makeBench, type NewPlace } from '../contract/bench.ts';
import { newJob } from '../support/jobs.ts';
import { sign } from '../support/workers.ts';

export const LEASE_MS = 30_000;
/** Check interval of a rescuer with default settings and few workers. */
export const LOOK_MS = 1000;

const here = ownIdentity({});

export async function makeScene(t: TestContext, newPlace: NewPlace, stored: Stored = {}): Promise<Scene> {
  const bench = await makeBench(t, newPlace);
  await bench.store.condemn('w1');
  await bench.store.rescue('w1', new Settings({}).backoff); // the tests create their own workers
  const scene = new Scene(bench, stored);
  t.mock.method(performance, 'now', () => scene.nowMs);
  return scene;
}

export class Scene {
  nowMs = 1000;
  settings: Settings;
  readonly bench: Bench;
  readonly rescue: Rescue;
  readonly lines: string[] = [];

  constructor(bench: Bench, stored: Stored) {
    this.bench = bench;
    this.settings = new Settings(stored);
    this.rescue = this.rescuer();
  }

  get store(): Store {
    return this.bench.store;
  }

  /** Returns another rescuer; `store` may be one that fails. */
  rescuer(more: Partial<Rescuer> = {}, store = this.store): Rescue {
    const own = { id: '', host: here.host, bootId: here.bootId, storeId: this.store.id, ...more };
    return new Rescue(
      store,
      own,
      () => this.settings,
      (line) => this.lines.push(line),
    );
  }

  /** Creates a worker with a running job. By default it is this process, which is visible and alive. */
  async worker(id: string, more: Partial<NewWorker> = {}): Promise<void> {
    const { host, bootId, pid, pidStartedAt } = here;
    const storeId = this.store.id;
    const identity = { host, bootId, pid, pidStartedAt, storeId, leaseMs: LEASE_MS };
    await this.bench.worker(id, { ...identity, ...more });
    await this.bench.enqueue(newJob(jobOf(id)));
    await this.bench.take(jobOf(id), id);
  }

  /** Creates a worker on another host or in another container. */
  unseenWorker(id: string, more: Partial<NewWorker> = {}): Promise<void> {
    return this.worker(id, { bootId: 'elsewhere', host: 'elsewhere', ...more });
  }

  /** Creates a worker whose process is gone and whose PID was reused. */
  deadWorker(id: string, more: Partial<NewWorker> = {}): Promise<void> {
    return this.worker(id, { pidStartedAt: '1', ...more });
  }

  async givesSignOfLife(id: string): Promise<void> {
    this.bench.later(1);
    await this.store.renew(id, sign());
  }

  /** Checks once after this time; returns the number of rescued jobs. */
  async lookAfter(ms: number, rescue = this.rescue): Promise<number> {
    this.nowMs += ms;
    return rescue.runOnce();
  }

  /** Checks at the regular interval for this time; returns the number of rescued jobs. */
  async lookFor(ms: number, rescue = this.rescue): Promise<number> {
    let count = 0;
    for (let passed = 0; passed < ms; passed += LOOK_MS) count += await this.lookAfter(LOOK_MS, rescue);
    return count;
  }

  /** Returns how many leases of silence it takes until the job is rescued, with regular checks. */
  async silenceUntilLost(mostMs: number, rescue = this.rescue): Promise<number> {
    await this.lookAfter(0, rescue);
    const began = this.nowMs;
    while (this.nowMs - began < mostMs) if ((await this.lookAfter(LOOK_MS, rescue)) > 0) return this.nowMs - began;
    return Number.POSITIVE_INFINITY;
  }

  async isRunning(id: string): Promise<boolean> {
    return (await this.bench.job(jobOf(id))).state === 'processing';
  }

  async workerIds(): Promise<string[]> {
    return (await this.store.workers()).map(({ id }) => id);
  }
}

export const jobOf = (workerId: string): string => `job-of-${workerId}`;

/** Starts a real process that is killed after the test. */
export function realProcess(
  t: TestContext,
  env: NodeJS.ProcessEnv = {},
): { child: ChildProcess; pid: number; pidStartedAt: string | null } {
  const child = spawn('sleep', ['60'], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const pid = child.pid ?? 0;
  return { child, pid, pidStartedAt: processEntry(pid)?.startedAt ?? null };
}
