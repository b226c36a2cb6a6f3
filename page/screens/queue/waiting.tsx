// Waiting jobs of a queue, oldest first, and why the oldest has not started.

import { Hint } from '../../components/copy.tsx';
import { sentence } from '../../core/sentence.ts';
import { Section } from '../../components/screen.tsx';
import { commandColumn, idColumn } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { Ago } from '../../components/time.tsx';
import { count, counted } from '../../core/format.ts';
import { useResource } from '../../core/resource.ts';
import { hrefOf, itemHref } from '../../core/router.ts';
import type { Job, JobDetails, NamedQueue } from '../../core/types.ts';

const SHOWN = 8;

export function Waiting({ queue }: { queue: NamedQueue }) {
  const filter = `queue:${queue.queue} state:pending`;
  const { data } = useResource<{ jobs: Job[] }>(hrefOf('/jobs', { filter, sort: 'created', limit: String(SHOWN) }));
  const jobs = data?.jobs.filter((job) => job.queue === queue.queue) ?? [];
  return (
    <Section
      title="Waiting"
      note={counted(queue.pending, 'job')}
      actions={
        queue.pending > jobs.length && (
          <a class="link small" href={hrefOf('/jobs', { filter })}>
            all {count(queue.pending)}
          </a>
        )
      }
    >
      {jobs[0] && <Reasons id={jobs[0].id} />}
      <Table
        columns={COLUMNS}
        rows={jobs}
        keyOf={({ id }) => id}
        narrow="scroll"
        areHeadsHidden
        isHeld
        empty={<p class="muted wait-reason">No jobs are waiting.</p>}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<Job>[] = [
  idColumn,
  commandColumn,
  {
    head: 'enqueued',
    width: 'fit',
    isRight: true,
    class: 'muted',
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
];

/** The other jobs usually wait for the same reasons as the oldest. */
function Reasons({ id }: { id: string }) {
  const { data } = useResource<Pick<JobDetails, 'id' | 'waiting_reasons'>>(`${itemHref('jobs', id)}/why`);
  const reasons = data?.id === id ? data.waiting_reasons : [];
  if (reasons.length === 0) return null;
  return (
    <div class="why" data-state="pending">
      <ul>
        <li class="muted small">Why {id}, the oldest job, is waiting</li>
        {reasons.map(({ reason, message, hint }) => (
          <li key={reason}>
            {sentence(message)}
            {hint && <Hint hint={hint} />}
          </li>
        ))}
      </ul>
    </div>
  );
}
