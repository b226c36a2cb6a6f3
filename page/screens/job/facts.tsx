// Properties of the job, without the unset ones.

import type { ComponentChildren } from 'preact';
import { Ago, When } from '../../components/time.tsx';
import { duration } from '../../core/format.ts';
import { hrefOf } from '../../core/router.ts';
import type { JobDetails } from '../../core/types.ts';

type Fact = readonly [label: string, value: ComponentChildren | null];

export function Facts({ job }: { job: JobDetails }) {
  const known = factsOf(job).filter(([, value]) => value !== null && value !== '');
  return (
    <aside class="facts" aria-label="facts">
      <dl>
        {known.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}

const factsOf = (job: JobDetails): Fact[] => [
  ['queue', <Search key="queue" field="queue" value={job.queue} />],
  [
    'group',
    job.group && (
      <a class="link" href={`/groups/${encodeURIComponent(job.group)}`}>
        {job.group}
      </a>
    ),
  ],
  [
    'schedule',
    job.schedule && (
      <a class="link" href={`/schedules/${encodeURIComponent(job.schedule)}`}>
        {job.schedule}
      </a>
    ),
  ],
  ['priority', String(job.priority)],
  ['attempts', `${job.attempts} of ${job.max_retries + 1}`],
  ['interruptions', job.interruptions > 0 ? String(job.interruptions) : null],
  ['timeout', job.timeout_seconds === null ? 'none' : duration(job.timeout_seconds * 1000)],
  ['tags', job.tags.length > 0 ? job.tags.map((tag) => <Search key={tag} field="tag" value={tag} />) : null],
  ['concurrency key', job.key && <Search field="key" value={job.key} />],
  ['enqueued', <Both key="at" at={job.created_at} />],
  ['next run', isToCome(job.next_run_at) && <Both at={job.next_run_at ?? ''} />],
  ['started', job.started_at && <Both at={job.started_at} />],
  ['finished', job.finished_at && <Both at={job.finished_at} />],
  ['duration', job.duration_ms === null ? null : duration(job.duration_ms)],
  ['exit code', job.exit_code === null ? null : String(job.exit_code)],
  ['signal', job.signal],
  ['worker', job.locked_by && <span class="mono">{job.locked_by}</span>],
  ['hold reason', job.held ? job.held_reason : null],
  ['directory', job.cwd && <span class="mono">{job.cwd}</span>],
  ['env', environmentOf(job)],
];

const isToCome = (at: string | null): true | null =>
  at !== null && Date.parse(at) > Date.now() ? true : null;

const Search = ({ field, value }: { field: string; value: string }) => (
  <a class="link fact-link" href={hrefOf('/jobs', { filter: `${field}:${value}` })}>
    {value}
  </a>
);

const Both = ({ at }: { at: string }) => (
  <>
    <When at={at} />{' '}
    <span class="muted">
      · <Ago at={at} />
    </span>
  </>
);

function environmentOf({ env }: JobDetails): ComponentChildren | null {
  const names = Object.entries(env);
  if (names.length === 0) return null;
  return names.map(([name, value]) => (
    <div key={name} class="mono cut" title={`${name}=${value}`}>
      {name}={value}
    </div>
  ));
}
