// Check of cgroups: whether the kernel limits jobs as a whole or only per process. Inspects the workers on this host, or what
// a worker would get if it was started from this process.

import {
  CONTROLLERS,
  type Delegated,
  findDelegated,
  groupOfProcess,
  isDelegated,
  type Undelegated,
} from '../../../isolation/limits/cgroup.ts';
import { ownIdentity } from '../../../process/tree/identity.ts';
import type { Queue } from '../../../queue/queue.ts';
import { type Check, ok } from './verdict.ts';

const DELEGATE =
  'delegate a cgroup: Delegate=yes in a systemd unit, or systemd-run --user --scope -p Delegate=yes queuectl worker run';

export interface Limiter {
  /** Null for a worker that is not started yet. */
  readonly worker: string | null;
  readonly found: Delegated | Undelegated;
}

export async function checkLimits(queue: Queue): Promise<Check> {
  const { bootId } = ownIdentity(queue.environment);
  const here = (await queue.workers()).filter((one) => one.state !== 'lost' && one.bootId === bootId);
  const limiters = here.map(({ id, pid }) => ({ worker: id, found: findDelegated(groupOfProcess(pid)) }));
  return limitsOf(limiters.find(({ found }) => !isDelegated(found)) ?? limiters[0]);
}

/** Without a cgroup, all limits except the CPU share are enforced by other means. */
export function limitsOf({ worker, found }: Limiter = { worker: null, found: findDelegated() }): Check {
  const jobs = worker === null ? 'jobs' : `jobs of worker ${worker}`;
  if (!isDelegated(found))
    return ok('limits', `limits for ${jobs} are enforced per process and by polling: ${found.problem}`, DELEGATE);
  const missing = CONTROLLERS.filter((one) => !found.controllers.has(one));
  const message = `cgroups for ${jobs} are available in ${found.folder}, with ${[...found.controllers].join(', ')}`;
  return missing.length === 0
    ? ok('limits', message)
    : ok('limits', `${message}, without ${missing.join(', ')}`, DELEGATE);
}
