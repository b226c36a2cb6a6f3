// Finds workers by ID, ID prefix, or host.

import { QueueError } from '../../errors/errors.ts';
import type { WorkerView } from './view.ts';

/** Returns workers in the order of the IDs. Throws ambiguous_id or worker_not_found. */
export function workersById(workers: readonly WorkerView[], given: readonly string[]): WorkerView[] {
  return given.map((prefix) => {
    const exact = workers.find(({ id }) => id === prefix);
    const found = exact ? [exact] : workers.filter(({ id }) => id.startsWith(prefix));
    if (found.length > 1) {
      throw new QueueError('ambiguous_id', {
        prefix,
        noun: 'worker',
        matches: found.map(({ id }) => id).join(', '),
      });
    }
    if (found[0] === undefined) throw new QueueError('worker_not_found', { id: prefix });
    return found[0];
  });
}

/** Throws host_not_found if no worker runs there. */
export function workersOn(workers: readonly WorkerView[], host: string): readonly WorkerView[] {
  const found = workers.filter((worker) => worker.host === host);
  if (found.length > 0) return found;
  const hint = workers.length > 0 ? `workers are running on: ${hostsOf(workers)}` : 'no worker is running';
  throw new QueueError('host_not_found', { host, hint });
}

export const hostsOf = (workers: readonly WorkerView[]): string =>
  [...new Set(workers.map(({ host }) => host))].sort().join(', ');
