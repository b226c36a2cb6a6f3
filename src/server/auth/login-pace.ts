// Slows guessing down. After a few failed logins an address waits, each time twice as long; and when many fail from everywhere,
// everybody waits. A login counts as failed from its beginning, so that a hundred at once are not a hundred free tries.
// A right login takes back only its own count: else an attacker with an account could log in between guesses and never wait.
// Failures are forgotten when an address has been quiet for a while.
// What is remembered is bounded: of too many addresses, those that were quiet longest are forgotten.

import { QueueError } from '../../errors.ts';

export interface PaceRules {
  readonly freeTries: number;
  readonly longestWaitMs: number;
  /** In `windowMs`, from everywhere together. */
  readonly mostFailures: number;
  readonly windowMs: number;
  readonly mostAddresses: number;
  /** An address that was quiet for so long starts anew. */
  readonly forgottenAfterMs: number;
}

export const PACE: PaceRules = {
  freeTries: 5,
  longestWaitMs: 60_000,
  mostFailures: 100,
  windowMs: 60_000,
  mostAddresses: 10_000,
  forgottenAfterMs: 900_000,
};

interface Tries {
  readonly failed: number;
  readonly nextAt: number;
}

const NO_TRIES: Tries = { failed: 0, nextAt: 0 };

export class LoginPace {
  private readonly rules: PaceRules;
  private readonly clock: () => number;
  private readonly byAddress = new Map<string, Tries>();
  private recent: number[] = [];

  constructor(rules: PaceRules = PACE, clock: () => number = () => performance.now()) {
    this.rules = rules;
    this.clock = clock;
  }

  /** Else too_many_logins. null says that it was wrong. */
  async attempt<T>(address: string, login: () => Promise<T | null>): Promise<T | null> {
    const key = networkOf(address);
    const now = this.clock();
    this.refuseTooMany(key, now);
    const before = this.triesOf(key, now);
    this.remember(key, this.afterOneMore(before.failed, now));
    this.recent.push(now);
    const found = await login();
    if (found !== null) this.takeBack(key, now, before);
    return found;
  }

  /** For tests: how much is remembered. */
  get size(): number {
    return this.byAddress.size + this.recent.length;
  }

  private refuseTooMany(key: string, now: number): void {
    const { mostFailures, windowMs } = this.rules;
    this.recent = this.recent.filter((at) => at > now - windowMs);
    const ownWait = (this.byAddress.get(key)?.nextAt ?? 0) - now;
    const [first = now] = this.recent;
    const allWait = this.recent.length < mostFailures ? 0 : first + windowMs - now;
    const waitMs = Math.max(ownWait, allWait);
    if (waitMs > 0) throw new QueueError('too_many_logins', { seconds: Math.ceil(waitMs / 1000) });
  }

  private afterOneMore(failedBefore: number, now: number): Tries {
    const { freeTries, longestWaitMs } = this.rules;
    const failed = failedBefore + 1;
    const waitMs = failed < freeTries ? 0 : Math.min(1000 * 2 ** (failed - freeTries), longestWaitMs);
    return { failed, nextAt: now + waitMs };
  }

  private remember(key: string, tries: Tries): void {
    this.byAddress.delete(key);
    this.byAddress.set(key, tries);
    if (this.byAddress.size <= this.rules.mostAddresses) return;
    const [quietest] = this.byAddress.keys();
    if (quietest !== undefined) this.byAddress.delete(quietest);
  }

  private triesOf(key: string, now: number): Tries {
    const known = this.byAddress.get(key);
    return known && now < known.nextAt + this.rules.forgottenAfterMs ? known : NO_TRIES;
  }

  /** Logins that failed meanwhile keep their wait. */
  private takeBack(key: string, startedAt: number, before: Tries): void {
    const { failed, nextAt } = this.byAddress.get(key) ?? NO_TRIES;
    if (failed <= 1) this.byAddress.delete(key);
    else
      this.remember(key, { failed: failed - 1, nextAt: failed - 1 > before.failed ? nextAt : before.nextAt });
    const at = this.recent.indexOf(startedAt);
    if (at >= 0) this.recent.splice(at, 1);
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
