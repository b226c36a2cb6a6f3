// What starting a program takes and gives, however it is done.

import type { Exit } from './exit.ts';

export interface Start {
  /** A path, or a name to look up in the PATH it is given. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string | null;
  /** What it has in common with others; the same object for all of those. */
  readonly inherited: NodeJS.ProcessEnv;
  /** What comes on top for this one. */
  readonly own: Readonly<Record<string, string>>;
  /** Its stdin; absent: one that is empty. */
  readonly input?: number | undefined;
  /** Its stdout and its stderr, which may be the same. */
  readonly outputs: readonly [number, number];
  /** Its file 3, when it is to have one. */
  readonly status?: number | undefined;
  /** By hostClockMs(); later it must not start any more. */
  readonly notAfterMs: number;
}

export interface Child {
  /** Its pid, as soon as it runs; rejects with a system error when it cannot be started. */
  readonly pid: Promise<number>;
  /** How it ended, once it was started. */
  readonly exit: Promise<Exit>;
}

export interface Starter {
  (start: Start): Child;
  /** Resolves when it is at its full speed: until then each start holds up everything else. Absent: it always is. */
  readonly ready?: Promise<void>;
}

/** What "too late" is called, among the system's names of errors. */
export const STALE = 'ETIMEDOUT';
