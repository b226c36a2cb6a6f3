// Adds the jobs that the policy rejected, with reasons, to the result of a bulk change, and sets the exit code.

import { type Rejection, rejectedIn } from '../../job/isolation/rejections.ts';
import type { Result } from '../command.ts';
import { many } from '../render/kit/human.ts';
import { oneLine } from '../render/kit/text.ts';

const REJECTED = 1;

export function withRejections(result: Result, rejections: readonly Rejection[]): Result {
  const rejected = rejectedIn(rejections);
  if (rejected === 0) return result;
  const reasons = rejections.map(({ reason, jobs }) => `  ${many(jobs, 'job')}: ${oneLine(reason)}`);
  return {
    data: { ...(result.data as object), rejected, rejections },
    text: [`${result.text}, ${many(rejected, 'job')} rejected:`, ...reasons].join('\n'),
    exitCode: REJECTED,
  };
}
