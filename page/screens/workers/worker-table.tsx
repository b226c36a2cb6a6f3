// The workers of one host.

import { Button } from '../../components/button.tsx';
import { JobLinks } from '../../components/job-link.tsx';
import { Meter } from '../../components/meter.tsx';
import { actions } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { Ago, Running } from '../../components/time.tsx';
import { WorkerState } from '../../components/worker-state.tsx';
import { setQuery } from '../../core/router.ts';
import { sentence } from '../../core/sentence.ts';
import { may } from '../../core/session.ts';
import type { Worker } from '../../core/types.ts';

const COLUMNS: readonly Column<Worker>[] = [
  {
    head: 'worker',
    card: 'title',
    class: 'nowrap',
    cell: ({ id, pid }) => (
      <span>
        <span class="mono name">{id}</span> <span class="muted small">pid {pid}</span>
      </span>
    ),
  },
  { head: 'state', class: 'nowrap', cell: ({ state }) => <WorkerState state={state} /> },
  { head: 'slots', class: 'nowrap', cell: (worker) => <Slots worker={worker} /> },
  { head: 'running', cell: (worker) => <Jobs worker={worker} /> },
  { head: 'queues', cell: ({ queues }) => (queues === null ? 'all' : queues.join(', ')) },
  {
    head: 'uptime',
    isRight: true,
    class: 'muted nowrap',
    cell: ({ started_at }) => <Running since={started_at} />,
  },
  {
    head: 'heartbeat',
    isRight: true,
    class: 'muted nowrap',
    cell: ({ last_heartbeat }) => <Ago at={last_heartbeat} />,
  },
];

export const WorkerTable = ({ workers }: { workers: readonly Worker[] }) => (
  <Table
    columns={[...COLUMNS, may('operator') && actions<Worker>((worker) => <StopButton worker={worker} />, 'corner')]}
    rows={workers}
    keyOf={({ id }) => id}
  />
);

function Slots({ worker: { current_jobs, concurrency } }: { worker: Worker }) {
  const words = `${current_jobs.length} of ${concurrency}`;
  return (
    <span>
      <Meter used={current_jobs.length} of={concurrency} label={words} />
      {words}
    </span>
  );
}

const Jobs = ({ worker: { current_jobs, notice } }: { worker: Worker }) => (
  <span class="job-links">
    <JobLinks ids={current_jobs} />
    {current_jobs.length === 0 && <span class="muted">nothing</span>}
    {notice && <span class="tag warn notice-tag">{sentence(notice)}</span>}
  </span>
);

/** A second press stops a worker that is still waiting for its jobs to finish. */
function StopButton({ worker: { id, state, current_jobs } }: { worker: Worker }) {
  if (state === 'lost' || (state === 'stopping' && current_jobs.length === 0)) return null;
  return (
    <Button
      icon="cancel"
      label={`${state === 'stopping' ? 'Stop now' : 'Stop'} ${id}`}
      onPress={() => setQuery({ stop: id, force: state === 'stopping' ? '1' : '' }, 'push')}
    >
      {state === 'stopping' ? 'Stop now' : 'Stop'}
    </Button>
  );
}
