// Interface of the starters: what starting a program needs and returns.

import type { Exit } from './exit.ts';

export interface Start {
  /** A path, or a name to look up in the given PATH. */
  readonly program: string;
  readonly args: readonly string[];
  /** Command text that the program, which is the default shell, would run. A starter may start it without the shell. */
  readonly text?: string | undefined;
  readonly cwd: string | null;
  /** Variables shared with other starts; pass the same object each time. */
  readonly inherited: NodeJS.ProcessEnv;
  /** Additional variables of this start. */
  readonly own: Readonly<Record<string, string>>;
  /** Standard input; empty if absent. */
  readonly input?: number | undefined;
  /** stdout and stderr, which may be the same descriptor. */
  readonly outputs: readonly [number, number];
  /** Descriptor to pass as file 3, if any. */
  readonly status?: number | undefined;
  /** Deadline by hostClockMs(); the program must not start later. */
  readonly notAfterMs: number;
}

export interface Child {
  /** Resolves to the PID once it runs; rejects with a system error if the start fails. */
  readonly pid: Promise<number>;
  /** How it ended, once it was started. */
  readonly exit: Promise<Exit>;
}

export interface Starter {
  (start: Start): Child;
  /** Resolves when the starter has warmed up; until then each start blocks the process. Absent if always ready. */
  readonly ready?: Promise<void>;
}

/** Error code for a start after its deadline. */
export const STALE = 'ETIMEDOUT';
