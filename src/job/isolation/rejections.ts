// Counts the rejected jobs of a bulk operation by reason, for a bounded number of reasons. Pure.

export interface Rejection {
  readonly reason: string;
  readonly jobs: number;
}

const MOST_REASONS = 10;
const OTHERS = 'for other reasons';

export class Rejections {
  private readonly counts = new Map<string, number>();

  add(given: string, jobs = 1): void {
    const isKnown = this.counts.has(given) || this.counts.size < MOST_REASONS;
    const reason = isKnown ? given : OTHERS;
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + jobs);
  }

  /** Returns the most frequent reasons first. */
  get all(): Rejection[] {
    return [...this.counts].map(([reason, jobs]) => ({ reason, jobs })).sort((a, b) => b.jobs - a.jobs);
  }
}

export const rejectedIn = (rejections: readonly Rejection[]): number =>
  rejections.reduce((sum, { jobs }) => sum + jobs, 0);
