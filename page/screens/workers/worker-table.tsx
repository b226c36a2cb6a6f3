// The workers of one host as rows.

import { Button } from '../../components/button.tsx';
import { sentence } from '../../core/sentence.ts';
import { Meter } from '../../components/meter.tsx';
import { Ago, Running } from '../../components/time.tsx';
import { setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Worker } from '../../core/types.ts';

export const WorkerTable = ({ workers }: { workers: readonly Worker[] }) => (
  <div class="table-frame">
    <table class="table cards">
      <thead>
        <tr>
          <th scope="col">worker</th>
          <th scope="col">state</th>
          <th scope="col">slots</th>
          <th scope="col">runs</th>
          <th scope="col">queues</th>
          <th scope="col" class="right">
            up
          </th>
          <th scope="col" class="right">
            heartbeat
          </th>
          {may('operator') && (
            <th scope="col">
              <span class="out-of-sight">actions</span>
            </th>
          )}
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
    <td class="nowrap card-title">
      <span>
        <span class="mono name">{worker.id}</span> <span class="muted small">pid {worker.pid}</span>
      </span>
    </td>
    <td class="nowrap" data-label="state">
      <span class="worker-state" data-worker={worker.state}>
        {worker.state}
      </span>
    </td>
    <td class="nowrap" data-label="slots">
      <Slots worker={worker} />
    </td>
    <td data-label="runs" class="worker-jobs">
      <Jobs worker={worker} />
    </td>
    <td data-label="queues">{worker.queues === null ? 'all' : worker.queues.join(', ')}</td>
    <td class="right muted nowrap" data-label="up">
      <Running since={worker.started_at} />
    </td>
    <td class="right muted nowrap" data-label="heartbeat">
      <Ago at={worker.last_heartbeat} />
    </td>
    {may('operator') && (
      <td class="narrow card-corner">
        <div class="row-actions">
          <StopButton worker={worker} />
        </div>
      </td>
    )}
  </tr>
);

function Slots({ worker: { current_jobs, concurrency } }: { worker: Worker }) {
  const words = `${current_jobs.length} of ${concurrency}`;
  return (
    <span class="meter-and-words">
      <Meter used={current_jobs.length} of={concurrency} label={words} />
      {words}
    </span>
  );
}

const Jobs = ({ worker }: { worker: Worker }) => (
  <span class="job-links">
    {worker.current_jobs.map((id) => (
      <a key={id} class="mono link" href={`/jobs/${encodeURIComponent(id)}`}>
        {id}
      </a>
    ))}
    {worker.current_jobs.length === 0 && <span class="muted">nothing</span>}
    {worker.notice && <span class="tag warn notice-tag">{sentence(worker.notice)}</span>}
  </span>
);

/** A second press is for one that is stopping and still waits for its jobs. */
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
