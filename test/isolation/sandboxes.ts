// Runs sandboxed jobs with a real worker. If this machine does not support sandboxes, each job must be rejected with a
// hint, and tests check that instead.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { type NoSandbox, whyNoSandbox } from '../../src/isolation/sandbox/bubblewrap.ts';
import type { Command, Job } from '../../src/job/job.ts';
import type { NewJobFields } from '../../src/job/input/new-job-input.ts';
import { type Fleet, newFleet } from '../support/fleet.ts';

interface Ending {
  after(work: () => void | Promise<void>): unknown;
}

export interface Ended {
  readonly job: Job;
  readonly output: string;
  readonly error: string | null;
}

export class Sandboxes {
  readonly fleet: Fleet;
  private readonly why: NoSandbox | null;

  constructor(fleet: Fleet, why: NoSandbox | null) {
    this.fleet = fleet;
    this.why = why;
  }

  get canBeMade(): boolean {
    return this.why === null;
  }

  /** Next to the database, not above it. */
  get work(): string {
    return this.fleet.path('work');
  }

  file(name: string, text: string): string {
    const path = this.fleet.path(name);
    fs.writeFileSync(path, text);
    return path;
  }

  /**
   * Runs the job to its end, in `strict` by default. Returns null if it was rejected because sandboxes are unavailable.
   */
  async run(command: Command, said: Omit<NewJobFields, 'command' | 'cmd'> = {}): Promise<Ended | null> {
    const [{ id } = { id: '' }] = await this.fleet.add({
      command,
      cwd: this.work,
      sandbox: 'strict',
      max_retries: 0,
      ...said,
    });
    const job = await this.fleet.untilFinal(id);
    const [attempt] = await this.fleet.history(id);
    if (this.why === null) return { job, output: await this.fleet.output(id), error: attempt?.error ?? null };
    assert.deepEqual([job.state, attempt?.outcome], ['dead', 'not_started']);
    assert.match(attempt?.error ?? '', /^could not start: the job requires a sandbox, but .+; .+/);
    return null;
  }
}

export async function newSandboxes(t: Ending, ...worker: string[]): Promise<Sandboxes> {
  const fleet = await newFleet({ after: (work) => void t.after(work) }, { kill_grace: 5 });
  const sandboxes = new Sandboxes(fleet, await whyNoSandbox());
  fs.mkdirSync(sandboxes.work);
  await fleet.workerWith({ SECRET: 'hunter2' }, '--concurrency', '4', ...worker);
  return sandboxes;
}

/** True if a process sleeps for this unique time. */
export const isSleeping = (seconds: string): boolean =>
  fs.readdirSync('/proc').some((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0`;
    } catch {
      return false;
    }
  });
