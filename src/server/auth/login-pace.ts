// Slows down password guessing. After a few failed logins for one user from one address, further ones for that user
// must wait, each time twice as long. After many failed logins for any users, the whole address must wait. Other
// addresses are never affected. A successful login removes only its own attempt from the counts.
//
// A login counts as failed from its start, so that concurrent logins are not free attempts. Memory is bounded: entries
// that have been quiet longest are dropped first.

import { QueueError } from '../../errors/errors.ts';

export interface PaceRules {
  /** Failures for one user from one address before the first delay. */
  readonly freeTries: number;
  /** Failures from one address for any users before the first delay. */
  readonly freeTriesOfAddress: number;
  readonly longestWaitMs: number;
  /** Failures are forgotten after this time without another one. */
  readonly forgottenAfterMs: number;
  readonly mostRemembered: number;
}

export const PACE: PaceRules = {
  freeTries: 5,
  freeTriesOfAddress: 50,
  longestWaitMs: 60_000,
  forgottenAfterMs: 3_600_000,
  mostRemembered: 10_000,
};

interface Tries {
  readonly failed: number;
  readonly nextAt: number;
  readonly lastAt: number;
}

export class LoginPace {
  private readonly rules: PaceRules;
  private readonly clock: () => number;
  private readonly tries = new Map<string, Tries>();

  constructor(rules: PaceRules = PACE, clock: () => number = () => performance.now()) {
    this.rules = rules;
    this.clock = clock;
  }

  /** `login` returns null if it failed. `user` is '' for a token. Throws too_many_logins. */
  async attempt<T>(address: string, user: string, login: () => Promise<T | null>): Promise<T | null> {
    const network = networkOf(address);
    const keys = [
      { key: `${network} ${user}`, free: this.rules.freeTries },
      { key: network, free: this.rules.freeTriesOfAddress },
    ];
    const now = this.clock();
    const waitMs = Math.max(...keys.map(({ key }) => (this.triesOf(key, now)?.nextAt ?? 0) - now));
    if (waitMs > 0) throw new QueueError('too_many_logins', { seconds: Math.ceil(waitMs / 1000) });
    for (const { key, free } of keys) this.count(key, 1, free, now);
    const found = await login();
    if (found !== null) for (const { key, free } of keys) this.count(key, -1, free, now);
    return found;
  }

  /** Number of entries, for tests. */
  get size(): number {
    return this.tries.size;
  }

  private triesOf(key: string, now: number): Tries | undefined {
    const found = this.tries.get(key);
    return found && now - found.lastAt < this.rules.forgottenAfterMs ? found : undefined;
  }

  private count(key: string, more: 1 | -1, free: number, now: number): void {
    const failed = (this.triesOf(key, now)?.failed ?? 0) + more;
    this.tries.delete(key);
    if (failed <= 0) return;
    const waitMs = failed < free ? 0 : Math.min(1000 * 2 ** (failed - free), this.rules.longestWaitMs);
    this.tries.set(key, { failed, nextAt: more > 0 ? now + waitMs : now, lastAt: now });
    const [quietest] = this.tries.size > this.rules.mostRemembered ? this.tries.keys() : [];
    if (quietest !== undefined) this.tries.delete(quietest);
  }
}

/** Returns the first four groups of an IPv6 address, because a client usually has 2^64 addresses. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [left = '', right] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = right === undefined ? [] : Array(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...(right ?? [])].slice(0, 4).join(':');
}
