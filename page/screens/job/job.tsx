// A job with its command, state, attempts, live output and the equivalent commands.

import { Loading, Problem } from '../../components/feedback.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { State } from '../../components/state.tsx';
import { useResource } from '../../core/resource.ts';
import { itemHref, type Parameters } from '../../core/router.ts';
import type { JobDetails } from '../../core/types.ts';
import { JobActions } from './actions.tsx';
import { Attempts } from './attempts.tsx';
import { CommandBlock } from './command-block.tsx';
import { commandsOf } from './commands.ts';
import { Isolation } from './isolation.tsx';
import { JobFacts } from './facts.tsx';
import { Output } from './output.tsx';
import { Relations } from './relations.tsx';
import { ResultSection } from './result.tsx';
import { Why } from './why.tsx';

export default function JobScreen({ parameters }: { parameters: Parameters }) {
  const id = parameters.id ?? '';
  const { data, error, reload } = useResource<JobDetails>(itemHref('jobs', id));
  const job = data?.id === id || data?.name === id || data?.id.startsWith(id) ? data : undefined;
  if (job) return <Filled job={job} isGone={isGone(error)} />;
  return <Screen title={id}>{error ? <Problem error={error} onRetry={reload} /> : <Loading rows={8} />}</Screen>;
}

const isGone = (error: unknown): boolean => (error as { status?: number } | null)?.status === 404;

const Filled = ({ job, isGone }: { job: JobDetails; isGone: boolean }) => (
  <Screen title={job.name ?? job.id} heading={<Heading job={job} />} actions={!isGone && <JobActions job={job} />}>
    {isGone && <p class="banner">This job was deleted. This page shows its last known state.</p>}
    <CommandBlock command={job.command} />
    <div class="two-columns">
      <div>
        <Why job={job} />
        <Attempts job={job} />
        <ResultSection job={job} />
        <Output job={job} />
        <Relations job={job} />
        <SameCommands commands={commandsOf(job)} />
      </div>
      <div>
        <JobFacts job={job} />
        <Isolation job={job} />
      </div>
    </div>
  </Screen>
);

const Heading = ({ job }: { job: JobDetails }) => (
  <span class="job-heading">
    <State state={job.state} note={job.held ? 'held' : null} />
    <span class="mono">{job.id}</span>
    {job.name && <span class="muted">{job.name}</span>}
  </span>
);
