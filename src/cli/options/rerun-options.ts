// The options of retry for parts of a workflow.

import { QueueError } from '../../errors/errors.ts';
import { RERUN_MODES, type RerunMode } from '../../job/flow/rerun.ts';
import type { Context, OptionSpec, OptionSpecs } from '../command.ts';
import { YES } from '../confirm.ts';

export const RERUN_OPTIONS = {
  'failed-only': {
    kind: 'flag',
    help: 'retry only the failed jobs among a job and its dependents, or in a group',
  },
  'failed-and-downstream': { kind: 'flag', help: 'retry the failed jobs and their dependents' },
  all: { kind: 'flag', help: 'retry the job or group and all dependents' },
  ...YES,
} satisfies OptionSpecs;

type RetryOptions = typeof RERUN_OPTIONS & { readonly failed: OptionSpec & { readonly kind: 'flag' } };

/** Returns null if only the given jobs are retried. */
export function rerunMode({ options }: Context<RetryOptions>): RerunMode | null {
  const [mode = null, other] = RERUN_MODES.filter((name) => options.has(name));
  if (other !== undefined)
    throw new QueueError('usage', {
      problem: `--${mode} and --${other} cannot be combined`,
      hint: 'use one of them',
    });
  if (mode !== null && options.has('failed'))
    throw new QueueError('usage', {
      problem: `--failed and --${mode} cannot be combined`,
      hint: 'use one of them',
    });
  return mode;
}
