// Applies the policy to imported jobs, as to any enqueued job.

import { isDeliveryCommand } from '../job/flow/delivery.ts';
import { hooksIn } from '../job/flow/hooks.ts';
import { isFinal, type Job } from '../job/job.ts';
import { readTask } from '../job/record.ts';
import { policyOf } from '../settings/policy.ts';
import { Settings } from '../settings/settings.ts';
import type { PortableCells, TransferQueue } from './format.ts';

/** Skips finished jobs, which do not run. Returns null if there is no policy. */
export async function policyProblem(
  queue: TransferQueue,
): Promise<((job: PortableCells) => string | undefined) | null> {
  const settings = new Settings(await queue.store.settings());
  if (policyOf(settings) === null) return null;
  const { rejectionAmong } = await import('../intake/policy-check.ts');
  return (job) => {
    if (isFinal(job.state as Job['state'])) return undefined;
    const { command, is_argv, cwd = null, env = null, confinement } = job;
    const stored = { command, isArgv: is_argv !== 0, cwd, env, confinement, timeoutSeconds: null };
    const subject = { ...readTask(stored), queue: String(job.queue), hooks: hooksIn(job.hooks) };
    if (isDeliveryCommand(subject.command)) return 'only this queue can create webhook deliveries';
    return rejectionAmong([subject], { settings, who: null, variables: null })?.reason;
  };
}

/**
 * The policy exempts deliveries, so a file must not contain any: when retried, this job becomes an ordinary command.
 */
export function withoutDelivery(job: PortableCells): PortableCells {
  const { hook_of: _, ...others } = job;
  return isDeliveryCommand(parsed(job)) ? (others as PortableCells) : job;
}

const parsed = ({ command, is_argv }: PortableCells) =>
  readTask({ command, isArgv: is_argv !== 0, cwd: null, env: null, confinement: null, timeoutSeconds: null }).command;
