// Learns how children ended that Node does not know of. The system's signal says that some child did; a slow look
// stands beneath it, and keeps the process alive as long as there is somebody to wait for.

import { constants } from 'node:os';
import type { ExitStatus } from './start.ts';

/** As the C library has it: answers the pid when it has ended, 0 while it runs. */
type WaitPid = (pid: number, status: Buffer, options: number) => number;

const DO_NOT_WAIT = 1;
const LOOK_MS = 1000;
const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

export class Reaper {
  private readonly waitPid: WaitPid;
  private readonly status = Buffer.alloc(4);
  private readonly waiting = new Map<number, (status: ExitStatus) => void>();
  private timer: NodeJS.Timeout | undefined;
  private isListening = false;
  private isLooking = false;

  constructor(waitPid: WaitPid) {
    this.waitPid = waitPid;
  }

  exitOf(pid: number): Promise<ExitStatus> {
    if (this.waiting.size === 0) this.begin();
    this.lookSoon(); // it may have ended before anybody listened
    return new Promise((resolve) => this.waiting.set(pid, resolve));
  }

  private begin(): void {
    // From the first child on, for good: with jobs that end at once it would be taken down and put up all the time.
    if (!this.isListening) process.on('SIGCHLD', () => this.lookSoon());
    this.isListening = true;
    this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  /** Many signals at once are one look. */
  private lookSoon(): void {
    if (this.isLooking) return;
    this.isLooking = true;
    setImmediate(() => {
      this.isLooking = false;
      this.look();
    });
  }

  private look(): void {
    for (const [pid, resolve] of this.waiting) {
      const answer = this.waitPid(pid, this.status, DO_NOT_WAIT);
      if (answer === 0) continue;
      this.waiting.delete(pid);
      resolve(answer === pid ? statusOf(this.status.readInt32LE()) : { code: null, signal: null });
    }
    if (this.waiting.size === 0) clearInterval(this.timer);
  }
}

function statusOf(status: number): ExitStatus {
  const signal = status & 0x7f;
  if (signal === 0) return { code: (status >> 8) & 0xff, signal: null };
  return { code: null, signal: SIGNALS.get(signal) ?? `SIG${signal}` };
}
