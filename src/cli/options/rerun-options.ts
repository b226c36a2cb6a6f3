// The options of retry for parts of a workflow.

import { RERUN_MODES, type RerunMode } from '../../job/flow/rerun.ts';
import type { Context, OptionSpec, OptionSpecs } from '../command.ts';
import { onlyOneOf } from './checks.ts';
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
  const mode = onlyOneOf(options, ...RERUN_MODES);
  if (mode !== undefined) onlyOneOf(options, 'failed', mode);
  return mode ?? null;
}
