// Tells users of commands that wait for a job that no worker serves its queue, and when that changes, so that scripts
// do not hang silently. With --json, the timeout error contains the notice instead.

import type { Job } from '../../job/job.ts';
import { isClaimable } from '../../job/state-sets.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import { startCommand } from '../../report/waiting/waiting.ts';
import type { Terminal } from '../terminal.ts';

const LOOK_EVERY_MS = 1000;

export class NoWorkerNotice {
  private readonly queue: AnyQueue;
  private readonly terminal: Terminal;
  private unserved: readonly string[] = [];
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(queue: AnyQueue, terminal: Terminal) {
    this.queue = queue;
    this.terminal = terminal;
  }

  look(jobs: readonly Job[]): Promise<void> {
    return this.lookAt(jobs.filter(isWaiting).map(({ queue }) => queue));
  }

  /** Looks at these queues, at most once a second. */
  async lookAt(queues: readonly string[]): Promise<void> {
    if (performance.now() - this.lookedAt < LOOK_EVERY_MS) return;
    this.lookedAt = performance.now();
    const waitedFor = new Set(queues);
    const unserved = await this.unservedOf([...waitedFor]);
    for (const name of unserved.filter((one) => !this.unserved.includes(one))) this.terminal.notice(sentence(name));
    for (const name of this.unserved.filter((one) => waitedFor.has(one) && !unserved.includes(one)))
      this.terminal.notice(`a worker now serves queue ${name}`);
    this.unserved = unserved;
  }

  private async unservedOf(names: readonly string[]): Promise<readonly string[]> {
    const unserved: string[] = [];
    for (const name of names) if ((await this.queue.workersServing(name)).length === 0) unserved.push(name);
    return unserved;
  }

  /** The result of the last look, or null if a worker serves each queue. */
  get current(): string | null {
    const [first] = this.unserved;
    return first === undefined ? null : sentence(first);
  }
}

const sentence = (name: string): string => `no worker serves queue ${name}; start one: ${startCommand(name, true)}`;

const isWaiting = ({ state }: Job): boolean => isClaimable(state);
