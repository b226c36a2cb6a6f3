// Unusual conditions of a queue as tags.

import { stats } from '../../core/stats.ts';
import type { NamedQueue } from '../../core/types.ts';
import { isFull } from './limits.ts';

export function QueueTags({ queue }: { queue: NamedQueue }) {
  const isUnserved = stats.value?.unserved_queues.includes(queue.queue) ?? false;
  return (
    <span class="tags">
      {queue.paused && <span class="tag warn">paused</span>}
      {queue.draining && <span class="tag warn">draining</span>}
      {!queue.paused && isFull(queue) && <span class="tag">at its limit</span>}
      {isUnserved && <span class="tag bad">no worker</span>}
    </span>
  );
}
