// Tells users of commands that wait for jobs why the first of them is not running, if the reason persists. A missing
// worker is reported by no-worker-notice.ts.

import type { Job } from '../../job/job.ts';
import { isClaimable } from '../../job/state-sets.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { Wait } from '../../report/waiting/wait.ts';
import { waitsFor } from '../../report/waiting/waiting.ts';
import type { Terminal } from '../terminal.ts';

const LOOK_EVERY_MS = 1000;

const WORTH_SAYING: ReadonlySet<Wait['reason']> = new Set([
  ...(['held', 'queue_paused', 'queue_concurrency', 'key_slot', 'group_slot', 'weight', 'memory'] as const),
  ...(['max_concurrent_jobs', 'workers_degraded', 'start_conditions'] as const),
]);

export class WaitNotice {
  private readonly queue: AnyQueue;
  private readonly terminal: Terminal;
  private readonly said = new Set<string>();
  private lookedAt = performance.now();

  constructor(queue: AnyQueue, terminal: Terminal) {
    this.queue = queue;
    this.terminal = terminal;
  }

  /** Looks at most once a second, and not within the first second. */
  async look(jobs: readonly Job[]): Promise<void> {
    const job = jobs.find(({ state }) => isClaimable(state));
    const { local } = this.queue; // the HTTP API does not provide the reasons
    if (local === null || job === undefined || performance.now() - this.lookedAt < LOOK_EVERY_MS) return;
    this.lookedAt = performance.now();
    const wait = (await waitsFor(local, job)).find(({ reason }) => WORTH_SAYING.has(reason));
    if (wait === undefined || this.said.has(wait.message)) return;
    this.said.add(wait.message);
    this.terminal.notice(`job ${job.id} ${wait.message}${wait.hint === null ? '' : `: ${wait.hint}`}`);
  }
}
