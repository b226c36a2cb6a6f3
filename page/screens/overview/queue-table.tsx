// Named queues on the overview, with their job counts.

import { Section } from '../../components/screen.tsx';
import { stateCount } from '../../components/table/columns.tsx';
import { Rest } from '../../components/table/rest.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { age } from '../../core/format.ts';
import { hrefOf } from '../../core/router.ts';
import type { JobState, QueueStats, Stats } from '../../core/types.ts';

const SHOWN: readonly JobState[] = ['pending', 'processing', 'failed', 'dead', 'completed'];
const MOST = 24;

export const QueueTable = ({ stats }: { stats: Stats }) => (
  <Section title="Queues" note={stats.all_paused ? 'all queues are paused' : undefined}>
    <Table
      columns={columnsFor(stats)}
      rows={stats.queues.slice(0, MOST)}
      keyOf={({ queue }) => queue}
      narrow="scroll"
    />
    <Rest n={stats.queues.length - MOST} noun="queue" href="/queues" />
  </Section>
);

const columnsFor = (stats: Stats): readonly Column<QueueStats>[] => [
  {
    head: 'queue',
    class: 'nowrap',
    cell: ({ queue }) => (
      <>
        <a class="name" href={hrefOf('/jobs', { filter: `queue:${queue}` })}>
          {queue}
        </a>{' '}
        <Notes queue={queue} stats={stats} />
      </>
    ),
  },
  ...SHOWN.map((state) => stateCount<QueueStats>(state)),
  {
    head: 'oldest',
    isRight: true,
    class: 'nowrap muted',
    cell: ({ oldest_pending_seconds: oldest }) => (oldest === null ? '' : age(oldest * 1000)),
  },
];

function Notes({ queue, stats }: { queue: string; stats: Stats }) {
  if (stats.paused_queues.includes(queue)) return <span class="tag warn">paused</span>;
  if (stats.unserved_queues.includes(queue)) return <span class="tag warn">no worker</span>;
  return null;
}
