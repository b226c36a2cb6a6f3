// Loads the effective isolation of a job.

import { useResource } from '../core/resource.ts';
import type { Job, NamedQueue } from '../core/types.ts';
import { boundsOf, type InForce, inForce, type Setting } from './in-force.ts';

/** Returns undefined while loading. */
export function useInForce(job: Job): readonly InForce[] | undefined {
  const queue = useResource<NamedQueue>(`/queues/${encodeURIComponent(job.queue)}`).data;
  const { data } = useResource<{ settings: Setting[] }>('/settings');
  if (queue?.queue !== job.queue || !data) return undefined;
  return inForce({ job, queue, settings: boundsOf(data.settings) });
}
