// The queues with their counts.

import { Count } from '../../components/table/count.tsx';
import { Rest } from '../../components/table/rest.tsx';
import { Section } from '../../components/screen.tsx';
import { age } from '../../core/format.ts';
import { hrefOf } from '../../core/router.ts';
import type { JobState, QueueStats, Stats } from '../../core/types.ts';

const SHOWN: readonly JobState[] = ['pending', 'processing', 'failed', 'dead', 'completed'];
const MOST = 24;

export function QueueTable({ stats }: { stats: Stats }) {
  const shown = stats.queues.slice(0, MOST);
  return (
    <Section title="Queues" note={stats.all_paused ? 'everything is paused' : undefined}>
      <div class="table-frame">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">queue</th>
              {SHOWN.map((state) => (
                <th key={state} scope="col" class="right">
                  {state}
                </th>
              ))}
              <th scope="col" class="right">
                oldest
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((queue) => (
              <Row key={queue.queue} queue={queue} stats={stats} />
            ))}
          </tbody>
        </table>
      </div>
      <Rest n={stats.queues.length - MOST} noun="queue" href="/queues" />
    </Section>
  );
}

function Row({ queue, stats }: { queue: QueueStats; stats: Stats }) {
  const oldest = queue.oldest_pending_seconds;
  return (
    <tr>
      <td class="nowrap">
        <a class="name" href={hrefOf('/jobs', { filter: `queue:${queue.queue}` })}>
          {queue.queue}
        </a>{' '}
        <Notes queue={queue.queue} stats={stats} />
      </td>
      {SHOWN.map((state) => (
        <td key={state} class="right">
          <Count n={queue[state]} href={hrefOf('/jobs', { filter: `queue:${queue.queue} state:${state}` })} />
        </td>
      ))}
      <td class="right nowrap muted">{oldest === null ? '' : age(oldest * 1000)}</td>
    </tr>
  );
}

function Notes({ queue, stats }: { queue: string; stats: Stats }) {
  if (stats.paused_queues.includes(queue)) return <span class="tag warn">paused</span>;
  if (stats.unserved_queues.includes(queue)) return <span class="tag warn">no worker</span>;
  return null;
}
