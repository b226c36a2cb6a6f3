// The jobs of a search: state, command, queue, and the one time that matters for the state.

import { JobLink } from '../../components/job-link.tsx';
import { State } from '../../components/state.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { Ago, Running } from '../../components/time.tsx';
import { commandText, duration, shown } from '../../core/format.ts';
import { itemHref, navigate } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Job } from '../../core/types.ts';
import { isAllMatching, pick, selected } from './selection.ts';

const COLUMNS: readonly Column<Job>[] = [
  {
    head: 'state',
    name: 'state',
    cell: ({ state, held }) => <State state={state} note={held ? 'held' : null} />,
  },
  { head: 'ID', name: 'id', cell: ({ id }) => <JobLink id={id} /> },
  { head: 'command', name: 'command', cell: (job) => <CommandAndError job={job} /> },
  { head: 'queue', name: 'queue', class: 'cut', cell: ({ queue }) => queue },
  {
    head: 'attempts',
    name: 'attempts',
    isRight: true,
    class: 'muted',
    hiddenOn: 'medium',
    cell: (job) => attemptsOf(job),
  },
  {
    head: 'duration',
    name: 'duration',
    isRight: true,
    class: 'muted nowrap',
    hiddenOn: 'narrow',
    cell: (job) => durationOf(job),
  },
  { head: 'when', name: 'when', isRight: true, class: 'muted nowrap', cell: (job) => <When job={job} /> },
];

export const JobTable = ({ jobs }: { jobs: readonly Job[] }) => (
  <Table
    name="jobs-table"
    columns={COLUMNS}
    rows={jobs}
    keyOf={({ id }) => id}
    narrow="lines"
    isHeld
    keys={{ part: 'Jobs', open: ({ id }) => navigate(itemHref('jobs', id)) }}
    selection={
      may('operator') && {
        isPicked: ({ id }) => isAllMatching.value || selected.value.has(id),
        onPick: (rows, isPicked) =>
          pick(
            rows.map(({ id }) => id),
            isPicked,
          ),
      }
    }
  />
);

const CommandAndError = ({ job: { command, state, last_error } }: { job: Job }) => (
  <div class="command-and-error">
    <span class="mono cut">{shown(commandText(command))}</span>
    {last_error !== null && state !== 'completed' && <span class="muted cut">{shown(last_error)}</span>}
  </div>
);

/** The maximum matters only until the job has completed. */
function attemptsOf({ state, attempts, max_retries }: Job): string {
  if (attempts === 0) return '';
  return state === 'completed' ? `${attempts}` : `${attempts} of ${max_retries + 1}`;
}

const durationOf = (job: Job) =>
  job.state === 'processing' ? (
    <Running since={job.started_at} />
  ) : (
    job.duration_ms !== null && duration(job.duration_ms)
  );

/** The next run of a waiting job; otherwise when it finished, started or was enqueued. */
function When({ job }: { job: Job }) {
  const isWaiting = job.state === 'failed' || (job.state === 'pending' && job.next_run_at !== null);
  if (isWaiting) return <Ago at={job.next_run_at} />;
  return <Ago at={job.finished_at ?? job.started_at ?? job.created_at} />;
}
