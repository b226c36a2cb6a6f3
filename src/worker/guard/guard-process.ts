// The guard process. Its worker reports running jobs and how long its lease is certain. The guard stops these jobs when
// the worker disappears or that time has passed. It is a separate program that loads little, because each worker may
// have one.

import type { Readable } from 'node:stream';
import { hostClockMs } from '../../process/tree/host-clock.ts';
import { endAbandoned, type Leader, type Tree } from '../../process/tree/tree.ts';
import { GUARD_LINES } from './guard-lines.ts';

/** Maximum time to notice that the machine was suspended. */
const LOOK_MS = 500;

/** Resolves when the worker and its jobs are gone. Logs one line for each job it stops. */
export function standGuard(words: Readable, log: (line: string) => void = () => {}): Promise<void> {
  return new Watch(log).until(words);
}

class Watch {
  private readonly log: (line: string) => void;
  private readonly running = new Map<string, Leader | null>();
  private sureUntilMs = Number.POSITIVE_INFINITY;
  private graceMs = 0;
  private patienceMs = 0;
  private hasLeft = false;
  private lookedAt = hostClockMs();
  private timer: NodeJS.Timeout | undefined;

  constructor(log: (line: string) => void) {
    this.log = log;
  }

  async until(words: Readable): Promise<void> {
    this.lookLater();
    let rest = '';
    for await (const chunk of words) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.hear(line[0] ?? '', line.slice(1));
    }
    clearTimeout(this.timer);
    if (!this.hasLeft) await this.endAll('the worker no longer exists');
  }

  private hear(what: string, about: string): void {
    if (what === GUARD_LINES.begins) this.running.set(about, null);
    else if (what === GUARD_LINES.started) this.learn(about);
    else if (what === GUARD_LINES.ended) this.running.delete(about);
    else if (what === GUARD_LINES.sureUntil) this.hold(about);
    else if (what === GUARD_LINES.leaves) this.hasLeft = true;
  }

  private learn(about: string): void {
    const [lease = '', pid, startedAt = ''] = about.split(' ');
    if (this.running.has(lease)) this.running.set(lease, { pid: Number(pid), startedAt: startedAt || null });
  }

  private hold(about: string): void {
    const [untilMs = 0, graceMs = 0, patienceMs = 0] = about.split(' ').map(Number);
    [this.sureUntilMs, this.graceMs, this.patienceMs] = [untilMs, graceMs, patienceMs];
  }

  private lookLater(): void {
    const waitMs = Math.max(10, Math.min(LOOK_MS, this.sureUntilMs - hostClockMs()));
    this.timer = setTimeout(() => this.look(), waitMs);
  }

  private look(): void {
    const now = hostClockMs();
    const stoodStill = now - this.lookedAt > 4 * LOOK_MS;
    this.lookedAt = now;
    if (stoodStill) this.sureUntilMs = Math.max(this.sureUntilMs, now + this.patienceMs);
    if (now > this.sureUntilMs) void this.endAll(`the worker is ${Math.round(now - this.sureUntilMs)} ms late`);
    this.lookLater();
  }

  private async endAll(why: string): Promise<void> {
    if (this.running.size === 0) return;
    const trees = [...this.running].map(([lease, leader]): Tree => ({ lease, leader }));
    const names = trees.map(({ lease, leader }) => `${lease} (pid ${leader?.pid ?? 'unknown'})`).join(', ');
    this.running.clear();
    this.log(`${why}: stopping ${names}`);
    await endAbandoned(trees, this.graceMs);
    this.log(`stopped ${names}`);
  }
}
