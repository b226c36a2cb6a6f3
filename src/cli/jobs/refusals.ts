// Adds the jobs that the policy rejected, with reasons, to the result of a bulk change, and sets the exit code.

import { type Refusal, refusedIn } from '../../job/isolation/refusals.ts';
import type { Result } from '../command.ts';
import { many } from '../render/kit/human.ts';
import { oneLine } from '../render/kit/text.ts';

const REFUSED = 1;

export function withRefusals(result: Result, refusals: readonly Refusal[]): Result {
  const refused = refusedIn(refusals);
  if (refused === 0) return result;
  const reasons = refusals.map(({ reason, jobs }) => `  ${many(jobs, 'job')}: ${oneLine(reason)}`);
  return {
    data: { ...(result.data as object), refused, refusals },
    text: [`${result.text}, ${many(refused, 'job')} rejected:`, ...reasons].join('\n'),
    exitCode: REFUSED,
  };
}
