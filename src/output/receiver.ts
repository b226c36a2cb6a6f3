// Interface for showing the output of attempts in sequence: begin, parts in order, end.

import type { Attempt, Command } from '../job/job.ts';
import type { ReadableOutput } from './readable-output.ts';
import type { Stretch } from './stretches.ts';

export interface Receiver {
  /** True if only one stream is wanted, so that streams must be known. */
  readonly isChoosy: boolean;
  begin(attempt: Attempt, command: Command): void;
  add(stretch: Stretch): void;
  /** Called when the attempt has ended. */
  end(attempt: Attempt): void;
}

export interface Extent {
  /** First byte to show. */
  readonly from: number;
  readonly withStart: boolean;
  readonly withEnd: boolean;
}

export const ALL: Extent = { from: 0, withStart: true, withEnd: true };

export async function show(
  output: ReadableOutput,
  command: Command,
  receiver: Receiver,
  extent: Extent = ALL,
): Promise<void> {
  if (extent.withStart) receiver.begin(output.attempt, command);
  for await (const stretch of output.stretches(extent.from)) receiver.add(stretch);
  if (extent.withEnd && output.attempt.endedAt !== null) receiver.end(output.attempt);
}
