// Workers on the overview, and the jobs that they are running.

import { Empty } from '../../components/feedback.tsx';
import { JobLinks } from '../../components/job-link.tsx';
import { Section } from '../../components/screen.tsx';
import { Rest } from '../../components/table/rest.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { Ago } from '../../components/time.tsx';
import { WorkerState } from '../../components/worker-state.tsx';
import { counted } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import type { Answer, Stats, Worker } from '../../core/types.ts';

const MOST = 8;

const COLUMNS: readonly Column<Worker>[] = [
  { head: 'worker', class: 'mono nowrap', cell: ({ id }) => id },
  { head: 'host', class: 'nowrap', cell: ({ host }) => host },
  { head: 'state', class: 'nowrap', cell: ({ state }) => <WorkerState state={state} /> },
  {
    head: 'running',
    cell: ({ current_jobs }) => (
      <span class="job-links">
        <JobLinks ids={current_jobs} />
      </span>
    ),
  },
  {
    head: 'heartbeat',
    isRight: true,
    class: 'muted',
    cell: ({ last_heartbeat }) => <Ago at={last_heartbeat} />,
  },
];

export function WorkerTable({ stats }: { stats: Stats }) {
  const { data } = useResource<Answer<'listWorkers'>>('/workers');
  return (
    <Section title="Workers" note={counted(stats.active_workers, 'worker')}>
      <Table
        columns={COLUMNS}
        rows={data?.workers.slice(0, MOST)}
        keyOf={({ id }) => id}
        narrow="scroll"
        empty={<NoWorkers />}
      />
      <Rest n={(data?.workers.length ?? 0) - MOST} noun="worker" href="/workers" />
    </Section>
  );
}

const NoWorkers = () => (
  <Empty title="No worker is running" command="queuectl worker start --count 2">
    Jobs wait until a worker starts. Workers keep running in the background after you close the terminal.
  </Empty>
);
