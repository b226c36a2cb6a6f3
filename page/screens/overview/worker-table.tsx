// Who works, and on what.

import { Empty } from '../../components/feedback.tsx';
import { Rest } from '../../components/table/rest.tsx';
import { Section } from '../../components/screen.tsx';
import { Ago } from '../../components/time.tsx';
import { counted } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import type { Stats, Worker } from '../../core/types.ts';

const MOST = 8;

export function WorkerTable({ stats }: { stats: Stats }) {
  const { data } = useResource<{ workers: Worker[] }>('/workers');
  const workers = data?.workers ?? [];
  return (
    <Section title="Workers" note={counted(stats.active_workers, 'worker')}>
      {data && workers.length === 0 ? <NoWorkers /> : <Rows workers={workers.slice(0, MOST)} />}
      <Rest n={workers.length - MOST} noun="worker" href="/workers" />
    </Section>
  );
}

const NoWorkers = () => (
  <Empty title="No worker is running" command="queuectl worker start --count 2">
    Jobs wait until one is. Workers go on in the background when the terminal is closed.
  </Empty>
);

const Rows = ({ workers }: { workers: readonly Worker[] }) => (
  <div class="table-frame">
    <table class="table">
      <thead>
        <tr>
          <th scope="col">worker</th>
          <th scope="col">host</th>
          <th scope="col">state</th>
          <th scope="col">runs</th>
          <th scope="col" class="right">
            heartbeat
          </th>
        </tr>
      </thead>
      <tbody>
        {workers.map((worker) => (
          <Row key={worker.id} worker={worker} />
        ))}
      </tbody>
    </table>
  </div>
);

const Row = ({ worker }: { worker: Worker }) => (
  <tr>
    <td class="mono nowrap">{worker.id}</td>
    <td class="nowrap">{worker.host}</td>
    <td class="nowrap">
      <span class="worker-state" data-worker={worker.state}>
        {worker.state}
      </span>
    </td>
    <td>
      {worker.current_jobs.map((id) => (
        <a key={id} class="mono link job-link" href={`/jobs/${encodeURIComponent(id)}`}>
          {id}
        </a>
      ))}
    </td>
    <td class="right muted">
      <Ago at={worker.last_heartbeat} />
    </td>
  </tr>
);
