// Checks that a job's state allows a user's change. The error lists the states that do.

import { QueueError } from '../errors/errors.ts';
import type { JobState } from './job.ts';
import { isRunning } from './state-sets.ts';

/** `state` is undefined if the job does not exist. `verb` names the command, as in "cannot retry". */
export function checkState(
  id: string,
  state: JobState | undefined,
  allowed: readonly JobState[],
  verb: string,
): asserts state is JobState {
  if (state === undefined) throw new QueueError('job_not_found', { id });
  if (!allowed.includes(state)) throw wrongState(id, state, allowed, verb);
}

function wrongState(id: string, state: JobState, allowed: readonly JobState[], verb: string): QueueError {
  const hint = isRunning(state)
    ? `the job is running; cancel it with: queuectl cancel ${id}`
    : `show the job: queuectl show ${id}`;
  return new QueueError('wrong_state', { id, state, verb, allowed: either(allowed), hint });
}

/** Returns a list such as 'blocked, pending or failed'. */
export const either = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' or ');
