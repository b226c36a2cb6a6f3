// How fast something gets done, from what was seen of it in the last minute. Nothing is said before enough was seen.

const WINDOW_MS = 60_000;
const LEAST_MS = 2000;
const LEAST_DONE = 2;

interface Sighting {
  readonly at: number;
  readonly done: number;
}

export class Pace {
  private sightings: Sighting[] = [];

  /** `done` of them are done at this time; fewer than before means that counting starts over. */
  see(done: number, at: number): void {
    if (done < (this.sightings.at(-1)?.done ?? 0)) this.sightings = [];
    this.sightings.push({ at, done });
    while ((this.sightings[1]?.at ?? at) < at - WINDOW_MS) this.sightings.shift();
  }

  /** null: not known yet, or nothing was done for a minute. */
  get perSecond(): number | null {
    const [first, last] = [this.sightings[0], this.sightings.at(-1)];
    if (!first || !last || last.at - first.at < LEAST_MS || last.done - first.done < LEAST_DONE) return null;
    return ((last.done - first.done) / (last.at - first.at)) * 1000;
  }

  /** Until so many more are done, if it goes on like this. */
  msFor(left: number): number | null {
    const rate = this.perSecond;
    return rate === null ? null : (left / rate) * 1000;
  }
}
