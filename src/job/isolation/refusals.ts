// The jobs of a bulk change that were not allowed, by reason. A bounded number of reasons is told apart. Pure.

export interface Refusal {
  readonly reason: string;
  /** How many were refused for it. */
  readonly jobs: number;
}

const MOST_REASONS = 10;
const OTHERS = 'for other reasons';

export class Refusals {
  private readonly counts = new Map<string, number>();

  add(given: string, jobs = 1): void {
    const isKnown = this.counts.has(given) || this.counts.size < MOST_REASONS;
    const reason = isKnown ? given : OTHERS;
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + jobs);
  }

  /** The most frequent first. */
  get all(): Refusal[] {
    return [...this.counts].map(([reason, jobs]) => ({ reason, jobs })).sort((a, b) => b.jobs - a.jobs);
  }
}

export const refusedIn = (refusals: readonly Refusal[]): number =>
  refusals.reduce((sum, { jobs }) => sum + jobs, 0);
