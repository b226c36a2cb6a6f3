// Properties of the job.

import { type Fact, Facts, variables, WhenAndAgo } from '../../components/facts.tsx';
import { duration } from '../../core/format.ts';
import { hrefOf, itemHref } from '../../core/router.ts';
import type { JobDetails } from '../../core/types.ts';

export const JobFacts = ({ job }: { job: JobDetails }) => <Facts facts={factsOf(job)} />;

const factsOf = (job: JobDetails): Fact[] => [
  ['queue', <Search key="queue" field="queue" value={job.queue} />],
  ['group', job.group && <Item list="groups" name={job.group} />],
  ['schedule', job.schedule && <Item list="schedules" name={job.schedule} />],
  ['priority', String(job.priority)],
  ['attempts', `${job.attempts} of ${job.max_retries + 1}`],
  ['interruptions', job.interruptions > 0 && String(job.interruptions)],
  ['timeout', job.timeout_seconds === null ? 'none' : duration(job.timeout_seconds * 1000)],
  ['tags', job.tags.length > 0 && job.tags.map((tag) => <Search key={tag} field="tag" value={tag} />)],
  ['concurrency key', job.key && <Search field="key" value={job.key} />],
  ['enqueued', <WhenAndAgo key="at" at={job.created_at} />],
  ['next run', job.next_run_at && isFuture(job.next_run_at) && <WhenAndAgo at={job.next_run_at} />],
  ['started', job.started_at && <WhenAndAgo at={job.started_at} />],
  ['finished', job.finished_at && <WhenAndAgo at={job.finished_at} />],
  ['duration', job.duration_ms === null ? null : duration(job.duration_ms)],
  ['exit code', job.exit_code === null ? null : String(job.exit_code)],
  ['signal', job.signal],
  ['worker', job.locked_by && <span class="mono">{job.locked_by}</span>],
  ['hold reason', job.held && job.held_reason],
  ['directory', job.cwd && <span class="mono">{job.cwd}</span>],
  ['env', variables(job.env)],
];

const isFuture = (at: string): boolean => Date.parse(at) > Date.now();

const Search = ({ field, value }: { field: string; value: string }) => (
  <a class="link fact-link" href={hrefOf('/jobs', { filter: `${field}:${value}` })}>
    {value}
  </a>
);

const Item = ({ list, name }: { list: string; name: string }) => (
  <a class="link" href={itemHref(list, name)}>
    {name}
  </a>
);
