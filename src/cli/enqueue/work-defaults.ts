// Fields that enqueue --work adds to jobs that do not set them, because a user waits for these jobs and asked for N at
// once.

import type { AnyQueue } from '../../queue/interface.ts';
import type { Intake, JobInput } from '../../queue/queue.ts';
import type { EnqueueContext } from '../options/enqueue-options.ts';
import { jobIntake } from './job-intake.ts';

/** Exit codes of a shell if a program cannot be run or does not exist. */
const HOPELESS_CODES = [126, 127];
/** A job or option that matches this sets its own retry rules. */
const RULES = /retr|attempt|tries|codes|snooze/i;

export async function enqueueIntake(context: EnqueueContext, queue: AnyQueue, overrides?: JobInput): Promise<Intake> {
  const { read, ...intake } = await jobIntake(context, queue, overrides);
  return { ...intake, read: (raw) => read(withWorkRules(context, raw)) };
}

/** Does not retry a program that does not exist, unless the job has its own retry rules. */
function withWorkRules({ options }: EnqueueContext, raw: unknown): unknown {
  if (!options.has('work') || typeof raw !== 'object' || raw === null) return raw;
  const flags = options.pick('max-retries', 'success-codes', 'no-retry-codes', 'snooze-code');
  const hasRules = Object.keys({ ...flags, ...raw }).some((name) => RULES.test(name));
  return hasRules ? raw : { ...raw, no_retry_codes: HOPELESS_CODES };
}

/** Limits a group that enqueue creates, so that other workers do not start more than N of its jobs. */
export function workLimit({ options }: EnqueueContext): JobInput {
  const concurrency = options.number('work');
  const isChosen = options.has('group') || options.has('group-concurrency');
  return concurrency === undefined || isChosen ? {} : { group_concurrency: concurrency };
}
