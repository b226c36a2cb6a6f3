// Estimates the rate of progress from observations of the last minute, once there are enough of them.

const WINDOW_MS = 60_000;
const LEAST_MS = 2000;
const LEAST_DONE = 2;

interface Sighting {
  readonly at: number;
  readonly done: number;
}

export class Pace {
  private sightings: Sighting[] = [];

  /** Records that `done` items are done at this time. If there are fewer than before, the estimate starts over. */
  see(done: number, at: number): void {
    if (done < (this.sightings.at(-1)?.done ?? 0)) this.sightings = [];
    this.sightings.push({ at, done });
    while ((this.sightings[1]?.at ?? at) < at - WINDOW_MS) this.sightings.shift();
  }

  /** Null if unknown, or if there was no progress for a minute. */
  get perSecond(): number | null {
    const [first, last] = [this.sightings[0], this.sightings.at(-1)];
    if (!first || !last || last.at - first.at < LEAST_MS || last.done - first.done < LEAST_DONE) return null;
    return ((last.done - first.done) / (last.at - first.at)) * 1000;
  }

  /** Estimated time for the remaining items. */
  msFor(left: number): number | null {
    const rate = this.perSecond;
    return rate === null ? null : (left / rate) * 1000;
  }
}
