// The server's time as far as it is known without asking, by a clock of ours that no step changes.
// Every answer with a time bounds it: the server read its clock after we asked and before the answer came.

export class ServerClock {
  private offsetMs = 0;

  now(): number {
    return Math.round(performance.now() + this.offsetMs);
  }

  /** The best guess from one answer: it was made in the middle of asking. */
  start(time: number, askedAtMs: number): void {
    this.offsetMs = time - (askedAtMs + performance.now()) / 2;
  }

  /** Corrects the estimate where the answer shows that it is wrong, and only as far as it does. */
  learn(time: number, askedAtMs: number): void {
    const [least, most] = [time - performance.now(), time - askedAtMs];
    this.offsetMs = Math.min(most, Math.max(least, this.offsetMs));
  }
}
