// Jobs as rows: a checkbox, the state, what runs, where, and the one time that matters for that state.

import { useEffect, useRef, useState } from 'preact/hooks';
import { State } from '../../components/state.tsx';
import { Ago, Running } from '../../components/time.tsx';
import { commandText, duration, shown } from '../../core/format.ts';
import { useHeldRows } from '../../components/table/held-rows.ts';
import { useKeys } from '../../core/keys.ts';
import { may } from '../../core/session.ts';
import type { Job } from '../../core/types.ts';
import { openJob } from './jobs.tsx';
import { isAllMatching, selected } from './selection.ts';

interface Props {
  readonly jobs: readonly Job[];
  readonly onPick: (ids: readonly string[], isPicked: boolean) => void;
}

export function JobTable({ jobs: newest, onPick }: Props) {
  const { rows: jobs, held } = useHeldRows(newest, ({ id }) => id);
  const [at, setAt] = useState(-1);
  const body = useRef<HTMLTableSectionElement>(null);
  const isPicked = (id: string): boolean => isAllMatching.value || selected.value.has(id);
  useEffect(() => {
    body.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  useRowKeys(jobs, at, setAt, (id) => onPick([id], !isPicked(id)));
  return (
    <div class="table-frame">
      <table class="table jobs-table">
        <thead>
          <tr>
            {may('operator') && (
              <th scope="col" class="pick">
                <PageTick jobs={jobs} onPick={onPick} />
              </th>
            )}
            <th scope="col" class="cell-state">
              state
            </th>
            <th scope="col" class="cell-id">
              id
            </th>
            <th scope="col">command</th>
            <th scope="col" class="cell-queue">
              queue
            </th>
            <th scope="col" class="cell-attempts right">
              attempts
            </th>
            <th scope="col" class="cell-took right">
              took
            </th>
            <th scope="col" class="cell-when right">
              when
            </th>
          </tr>
        </thead>
        <tbody ref={body} {...held}>
          {jobs.map((job, i) => (
            <Row
              key={job.id}
              job={job}
              isAt={i === at}
              isPicked={isPicked(job.id)}
              onPick={(picked) => onPick([job.id], picked)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function useRowKeys(
  jobs: readonly Job[],
  at: number,
  setAt: (at: number) => void,
  toggle: (id: string) => void,
) {
  const job = jobs[at];
  useKeys([
    { keys: 'j', does: 'next job', part: 'Jobs', run: () => setAt(Math.min(at + 1, jobs.length - 1)) },
    { keys: 'k', does: 'job before', part: 'Jobs', run: () => setAt(Math.max(at - 1, 0)) },
    { keys: 'x', does: 'select it', part: 'Jobs', run: () => job && may('operator') && toggle(job.id) },
    { keys: 'Enter', does: 'open it', part: 'Jobs', run: (event) => openUnlessLink(event, job) },
  ]);
}

/** Enter on a link or a button is meant for that. */
function openUnlessLink({ target }: KeyboardEvent, job: Job | undefined): void {
  const own = (target as Element | null)?.closest?.('a, button') as HTMLElement | null;
  if (own) own.click();
  else if (job) openJob(job.id);
}

function PageTick({ jobs, onPick }: Props) {
  const ids = jobs.map(({ id }) => id);
  const isAll = isAllMatching.value || ids.every((id) => selected.value.has(id));
  return (
    <input
      type="checkbox"
      aria-label="select this page"
      checked={isAll}
      onChange={() => onPick(ids, !isAll)}
    />
  );
}

interface RowProps {
  readonly job: Job;
  readonly isAt: boolean;
  readonly isPicked: boolean;
  readonly onPick: (isPicked: boolean) => void;
}

function Row({ job, isAt, isPicked, onPick }: RowProps) {
  return (
    <tr data-at={isAt} data-picked={isPicked}>
      {may('operator') && (
        <td class="pick">
          <input
            type="checkbox"
            aria-label={`select ${job.id}`}
            checked={isPicked}
            onChange={(event) => onPick(event.currentTarget.checked)}
          />
        </td>
      )}
      <td class="cell-state">
        <State state={job.state} note={job.held ? 'held' : null} />
      </td>
      <td class="cell-id">
        <a class="mono link" href={`/jobs/${encodeURIComponent(job.id)}`}>
          {job.id}
        </a>
      </td>
      <td class="cell-command">
        <div class="command-and-error">
          <span class="mono cut">{shown(commandText(job.command))}</span>
          {showsError(job) && <span class="muted cut">{shown(job.last_error)}</span>}
        </div>
      </td>
      <td class="cell-queue cut">{job.queue}</td>
      <td class="cell-attempts right muted">{attemptsOf(job)}</td>
      <td class="cell-took right muted nowrap">{tookOf(job)}</td>
      <td class="cell-when right muted nowrap">
        <When job={job} />
      </td>
    </tr>
  );
}

const showsError = ({ state, last_error }: Job): boolean => last_error !== null && state !== 'completed';

/** How many there can be is of interest until it has done what it was to do. */
function attemptsOf({ state, attempts, max_retries }: Job): string {
  if (attempts === 0) return '';
  return state === 'completed' ? `${attempts}` : `${attempts} of ${max_retries + 1}`;
}

const tookOf = (job: Job) =>
  job.state === 'processing' ? (
    <Running since={job.started_at} />
  ) : (
    job.duration_ms !== null && duration(job.duration_ms)
  );

/** When it ended, when it will run, or since when it is here. */
function When({ job }: { job: Job }) {
  const waits = job.state === 'failed' || (job.state === 'pending' && job.next_run_at !== null);
  if (waits) return <Ago at={job.next_run_at} />;
  return <Ago at={job.finished_at ?? job.started_at ?? job.created_at} />;
}
