// The options of retry for a part of a flow.

import { QueueError } from '../../errors/errors.ts';
import { RERUN_MODES, type RerunMode } from '../../job/flow/rerun.ts';
import type { Context, OptionSpec } from '../command.ts';
import { YES } from '../confirm.ts';

export const RERUN_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  'failed-only': { kind: 'flag', means: 'of a job and what waits for it, or of a group: what failed' },
  'failed-and-downstream': { kind: 'flag', means: 'what failed, and all that waits for it' },
  all: { kind: 'flag', means: 'the job or the whole group, and all that waits for it' },
  ...YES,
};

/** null: it is about the given jobs alone. */
export function rerunMode({ options }: Context): RerunMode | null {
  const [mode = null, other] = RERUN_MODES.filter((name) => options.has(name));
  if (other !== undefined)
    throw new QueueError('usage', { problem: `--${mode} and --${other} at once`, hint: 'keep one of them' });
  if (mode !== null && options.has('failed'))
    throw new QueueError('usage', { problem: `--failed and --${mode} at once`, hint: 'keep one of them' });
  return mode;
}
