// The guard itself: hears from its worker what runs and until when its lease is sure, and ends all of it when the worker
// is gone without a word or that time is over. It is a program of its own, and loads little: there is one beside every
// worker that needs one.

import type { Readable } from 'node:stream';
import { hostClockMs } from '../process/host-clock.ts';
import { endAbandoned, type Leader, type Tree } from '../process/tree.ts';
import { GUARD_LINES } from './guard-lines.ts';

/** A machine that slept is noticed within this time after it woke. */
const LOOK_MS = 500;

/** Until the worker has left or is gone, and its jobs with it. */
export function standGuard(graceMs: number, patienceMs: number, words: Readable): Promise<void> {
  return new Watch(graceMs, patienceMs).until(words);
}

class Watch {
  private readonly graceMs: number;
  private readonly patienceMs: number;
  private readonly running = new Map<string, Leader | null>();
  private sureUntilMs = Number.POSITIVE_INFINITY;
  private hasLeft = false;
  private lookedAt = hostClockMs();
  private timer: NodeJS.Timeout | undefined;

  constructor(graceMs: number, patienceMs: number) {
    this.graceMs = graceMs;
    this.patienceMs = patienceMs;
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
    if (!this.hasLeft) await this.endAll();
  }

  private hear(what: string, about: string): void {
    if (what === GUARD_LINES.begins) this.running.set(about, null);
    else if (what === GUARD_LINES.started) this.learn(about);
    else if (what === GUARD_LINES.ended) this.running.delete(about);
    else if (what === GUARD_LINES.sureUntil) this.sureUntilMs = Number(about);
    else if (what === GUARD_LINES.leaves) this.hasLeft = true;
  }

  private learn(about: string): void {
    const [lease = '', pid, startedAt = ''] = about.split(' ');
    if (this.running.has(lease)) this.running.set(lease, { pid: Number(pid), startedAt: startedAt || null });
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
    if (now > this.sureUntilMs) void this.endAll();
    this.lookLater();
  }

  private async endAll(): Promise<void> {
    const trees = [...this.running].map(([lease, leader]): Tree => ({ lease, leader }));
    this.running.clear();
    await endAbandoned(trees, this.graceMs);
  }
}
