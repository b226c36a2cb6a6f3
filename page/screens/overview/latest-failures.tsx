// What failed last, with the reason: the first thing most people come for.

import { Problem } from '../../components/feedback.tsx';
import { Section } from '../../components/screen.tsx';
import { State } from '../../components/state.tsx';
import { Ago } from '../../components/time.tsx';
import { commandText, shown } from '../../core/format.ts';
import { useHeldRows } from '../../components/table/held-rows.ts';
import { useResource } from '../../core/resource.ts';
import { hrefOf } from '../../core/router.ts';
import type { Job } from '../../core/types.ts';

const NONE: readonly Job[] = [];
const FILTER = 'state:failed,dead';
const PATH = hrefOf('/jobs', { filter: FILTER, limit: '6' });

export function LatestFailures() {
  const { data, error, reload } = useResource<{ jobs: Job[] }>(PATH);
  const { rows: jobs, held } = useHeldRows(data?.jobs ?? NONE, ({ id }) => id);
  if (error) return <Problem error={error} onRetry={reload} />;
  if (jobs.length === 0) return null;
  return (
    <Section
      title="Latest failures"
      actions={
        <a class="link small" href={hrefOf('/jobs', { filter: FILTER })}>
          all of them
        </a>
      }
    >
      <div class="table-frame">
        <table class="table">
          <thead class="out-of-sight">
            <tr>
              <th scope="col">state</th>
              <th scope="col">id</th>
              <th scope="col">command</th>
              <th scope="col">error</th>
              <th scope="col">when</th>
            </tr>
          </thead>
          <tbody {...held}>
            {jobs.map((job) => (
              <Row key={job.id} job={job} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

const Row = ({ job }: { job: Job }) => (
  <tr>
    <td class="narrow">
      <State state={job.state} />
    </td>
    <td class="narrow">
      <a class="mono link" href={`/jobs/${encodeURIComponent(job.id)}`}>
        {job.id}
      </a>
    </td>
    <td class="mono stretch">
      <div class="cut">{shown(commandText(job.command))}</div>
    </td>
    <td class="stretch muted">
      <div class="cut">{shown(job.last_error)}</div>
    </td>
    <td class="right muted narrow">
      <Ago at={job.finished_at ?? job.updated_at} />
    </td>
  </tr>
);
