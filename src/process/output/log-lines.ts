// The lines around a job's output in its log file. They are never parsed: the attempt records the offsets of the output
// and of dropped bytes.

import type { Attempt, Command, Outcome } from '../../job/job.ts';
import { isoOf } from '../../time/iso.ts';

/** `number` restarts at 1 after a manual retry; `run` keeps counting and is what `show` and `logs --attempt` use. */
export function startLine(start: { number: number; run: number; command: Command; startedAt: number }): string {
  const which = `attempt=${start.number}${start.run === start.number ? '' : ` run=${start.run}`}`;
  return `--- START ${isoOf(start.startedAt)} ${which} command=${JSON.stringify(start.command)} ---\n`;
}

export const endLine = (end: { at: number; how: string }): string => `--- END ${isoOf(end.at)} ${end.how} ---\n`;

/** On its own line, wherever the output was cut. */
export const leftOutLine = (bytes: number): string => `\n--- ${bytes} bytes left out (log_max_bytes) ---\n`;

const EXITED: readonly Outcome[] = ['completed', 'failed', 'snoozed', 'not_started'];

export function howItEnded(end: Pick<Attempt, 'exitCode' | 'signal'> & { readonly outcome: Outcome }): string {
  if (end.outcome === 'signalled') return `signal=${end.signal}`;
  if (EXITED.includes(end.outcome) && end.exitCode !== null) return `rc=${end.exitCode}`;
  return end.outcome.replace('_', ' ');
}
