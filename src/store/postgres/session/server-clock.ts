// Estimates the server's time with this machine's monotonic clock.
// Every result that contains a time bounds the estimate: the server read its clock after the query and before the result.

export class ServerClock {
  private offsetMs = 0;

  now(): number {
    return Math.round(performance.now() + this.offsetMs);
  }

  /** The best estimate from one result: the server read its clock half-way between query and result. */
  start(time: number, askedAtMs: number): void {
    this.offsetMs = time - (askedAtMs + performance.now()) / 2;
  }

  /** Corrects the estimate only as far as the result contradicts it. */
  learn(time: number, askedAtMs: number): void {
    const [least, most] = [time - performance.now(), time - askedAtMs];
    this.offsetMs = Math.min(most, Math.max(least, this.offsetMs));
  }
}
