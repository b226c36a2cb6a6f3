// The latest failures with their errors: the first thing that most users look for.

import { Problem } from '../../components/feedback.tsx';
import { Section } from '../../components/screen.tsx';
import { commandColumn, errorColumn, idColumn, stateColumn } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { Ago } from '../../components/time.tsx';
import { useResource } from '../../core/resource.ts';
import { hrefOf } from '../../core/router.ts';
import type { Job } from '../../core/types.ts';

const FILTER = 'state:failed,dead';
const PATH = hrefOf('/jobs', { filter: FILTER, limit: '6' });

const COLUMNS: readonly Column<Job>[] = [
  stateColumn,
  idColumn,
  commandColumn,
  errorColumn,
  {
    head: 'when',
    width: 'fit',
    isRight: true,
    class: 'muted',
    cell: ({ finished_at, updated_at }) => <Ago at={finished_at ?? updated_at} />,
  },
];

export function LatestFailures() {
  const { data, error, reload } = useResource<{ jobs: Job[] }>(PATH);
  if (error) return <Problem error={error} onRetry={reload} />;
  if (!data?.jobs.length) return null;
  return (
    <Section
      title="Latest failures"
      actions={
        <a class="link small" href={hrefOf('/jobs', { filter: FILTER })}>
          all failures
        </a>
      }
    >
      <Table columns={COLUMNS} rows={data.jobs} keyOf={({ id }) => id} narrow="scroll" areHeadsHidden isHeld />
    </Section>
  );
}
