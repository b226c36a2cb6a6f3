// The lines that we put around a job's output, for people. Nothing is ever read out of them again: where the output
// begins and ends, and what was left out, is recorded with the attempt.

import type { Attempt, Command, Outcome } from '../../job/job.ts';
import { isoOf } from '../../time/iso.ts';

/** `number` counts from 1 again after a retry by hand, `run` goes on: it is what `show` and `logs --attempt` count by. */
export function startLine(start: {
  number: number;
  run: number;
  command: Command;
  startedAt: number;
}): string {
  const which = `attempt=${start.number}${start.run === start.number ? '' : ` run=${start.run}`}`;
  return `--- START ${isoOf(start.startedAt)} ${which} command=${JSON.stringify(start.command)} ---\n`;
}

export const endLine = (end: { at: number; how: string }): string =>
  `--- END ${isoOf(end.at)} ${end.how} ---\n`;

/** A line of its own, wherever the output was cut. */
export const leftOutLine = (bytes: number): string => `\n--- ${bytes} bytes left out (log_max_bytes) ---\n`;

const EXITED: readonly Outcome[] = ['completed', 'failed', 'snoozed', 'not_started'];

export function howItEnded(
  end: Pick<Attempt, 'exitCode' | 'signal'> & { readonly outcome: Outcome },
): string {
  if (end.outcome === 'signalled') return `signal=${end.signal}`;
  if (EXITED.includes(end.outcome) && end.exitCode !== null) return `rc=${end.exitCode}`;
  return end.outcome.replace('_', ' ');
}
