// Who is shown the output of attempts, one after the other: begin, its stretches in order, end.

import type { Attempt, Command } from '../job/job.ts';
import type { ReadableOutput } from './readable-output.ts';
import type { Stretch } from './stretches.ts';

export interface Receiver {
  /** Wants one stream only, so it has to be known which is which. */
  readonly isChoosy: boolean;
  begin(attempt: Attempt, command: Command): void;
  add(stretch: Stretch): void;
  /** The attempt has ended. */
  end(attempt: Attempt): void;
}

export interface Extent {
  /** From this byte on. */
  readonly from: number;
  readonly withStart: boolean;
  readonly withEnd: boolean;
}

export const ALL: Extent = { from: 0, withStart: true, withEnd: true };

/** Shows what there is of an attempt now. */
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
