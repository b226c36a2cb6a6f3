// Measures the time from the commit of an enqueue to the first instruction of the job on an idle worker, compared with a
// bare spawn.

import { join } from 'node:path';
import { Queue } from '../../src/queue/queue.ts';
import { atMostMore, onBoth } from '../row.ts';
import { bareSpawn, stampCommand, untilStamped } from '../stamps.ts';

export const benches = onBoth('pickup', 'start a job on an idle worker', async function* (kit) {
  const { folder, environment, prefix, queuectl, server } = kit;
  queuectl(['worker', 'start']);
  const queue = await Queue.open({ environment, cwd: folder });
  let n = 0;
  const stamp = (): string => join(folder, `stamp${++n}`);
  const limits = server === null ? { p50: 5, p99: 25 } : { p50: 10, p99: 50 };
  for (const [name, share, limit] of [
    ['median', 0.5, limits.p50],
    ['99th percentile', 0.99, limits.p99],
  ] as const) {
    yield {
      measure: `${prefix}time until an idle worker starts a job, ${name}`,
      against: 'starting the process',
      unit: 'ms',
      target: atMostMore(limit),
      durable: 'ours',
      samples: share === 0.5 ? 20 : 100,
      share,
      ours: () => untilStamped(stamp(), (path) => queue.enqueue([{ command: stampCommand(path) }])),
      peer: () => untilStamped(stamp(), bareSpawn),
    };
  }
  await queue.close();
});
