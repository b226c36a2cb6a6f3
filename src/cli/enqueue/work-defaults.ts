// Fields that enqueue --work adds to jobs which do not have them. A person waits for these jobs, and asked for N at once.

import type { JobInput } from '../../queue/queue.ts';
import type { Options } from '../command.ts';

/** Exit codes of a shell for a program that cannot be run, or that does not exist. */
const HOPELESS_CODES = [126, 127];
/** A job or flag that says anything of this kind keeps its own rules. */
const RULES = /retr|attempt|tries|codes|snooze/i;

/** A program that does not exist is not tried again, unless the job says what to retry. */
export function withWorkRules(options: Options, raw: unknown): unknown {
  if (!options.has('work') || typeof raw !== 'object' || raw === null) return raw;
  const flags = ['max-retries', 'success-codes', 'no-retry-codes', 'snooze-code'];
  if (flags.some((name) => options.has(name)) || Object.keys(raw).some((name) => RULES.test(name)))
    return raw;
  return { ...raw, no_retry_codes: HOPELESS_CODES };
}

/** The limit of a group that enqueue makes up: workers that run already must not start more than N of its jobs. */
export function workLimit(options: Options): JobInput {
  const concurrency = options.number('work');
  const isChosen = options.has('group') || options.has('group-concurrency');
  return concurrency === undefined || isChosen ? {} : { group_concurrency: concurrency };
}
