// Reports a program that was ended by a signal as a shell does that waited for it. Used if the program was started
// without that shell.

import { type Exit, exitOf } from '../spawn/exit.ts';

/** Report of a shell about a program that was ended by a signal. */
export interface ShellReport {
  readonly exitCode: number;
  /** Line on stderr, or an empty text. */
  readonly message: string;
}

/** Bits of a wait status. */
const [SIGNAL, CORE] = [0x7f, 0x80] as const;
const FIRST_SIGNAL_CODE = 128;
/** SIGINT and SIGPIPE, which dash does not mention. */
const UNMENTIONED: readonly number[] = [2, 13];

/** Returns null if the program exited by itself. */
export function shellReport(status: number, describe: (signal: number) => string): ShellReport | null {
  const signal = status & SIGNAL;
  if (signal === 0) return null;
  const core = (status & CORE) === 0 ? '' : ' (core dumped)';
  const message = UNMENTIONED.includes(signal) ? '' : `${describe(signal)}${core}\n`;
  return { exitCode: FIRST_SIGNAL_CODE + signal, message };
}

/** The exit that the shell would have had. */
export const exitOfShell = (exit: Exit): Exit =>
  exit.inShell ? exitOf(exit.inShell.exitCode, null, exit.usage) : exit;
