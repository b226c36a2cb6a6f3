// Slows password guessing down. After a few failed logins for one user from one address, that user waits there, each time
// twice as long; after many failed logins for any users from one address, the address waits. Nobody waits for what happens at
// another address, and a login that succeeds takes back only its own try: the failures of others stay counted.
// A login counts as failed from its beginning, so that a hundred at once are not a hundred free tries. What is remembered is
// bounded: of too many, those that were quiet longest are forgotten.

import { QueueError } from '../../errors/errors.ts';

export interface PaceRules {
  /** Failures for one user from one address before it waits. */
  readonly freeTries: number;
  /** Failures from one address, for whatever users, before it waits. */
  readonly freeTriesOfAddress: number;
  readonly longestWaitMs: number;
  /** After so long without a failure, all is forgotten. */
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

  /** Else too_many_logins. null says that it was wrong. `user`: who is to log in; '' of a token. */
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

  /** For tests: how much is remembered. */
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

/** Anyone with an IPv6 address has 2^64 of them: the first four groups count. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [left = '', right] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = right === undefined ? [] : Array(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...(right ?? [])].slice(0, 4).join(':');
}
