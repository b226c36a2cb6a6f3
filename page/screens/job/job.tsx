// A job with its command, state, attempts, live output and the equivalent commands.

import { Loading, Problem } from '../../components/feedback.tsx';
import { Screen } from '../../components/screen.tsx';
import { State } from '../../components/state.tsx';
import { useResource } from '../../core/resource.ts';
import type { Parameters } from '../../core/router.ts';
import type { JobDetails } from '../../core/types.ts';
import { JobActions } from './actions.tsx';
import { Attempts } from './attempts.tsx';
import { CommandBlock } from './command-block.tsx';
import { Commands } from './commands.tsx';
import { Isolation } from './isolation.tsx';
import { Facts } from './facts.tsx';
import { Output } from './output.tsx';
import { Relations } from './relations.tsx';
import { ResultSection } from './result.tsx';
import { Why } from './why.tsx';

export default function JobScreen({ parameters }: { parameters: Parameters }) {
  const id = parameters.id ?? '';
  const { data, error, reload } = useResource<JobDetails>(`/jobs/${encodeURIComponent(id)}`);
  const job = data?.id === id || data?.name === id || data?.id.startsWith(id) ? data : undefined;
  if (error && !job) {
    return (
      <Screen title={id}>
        <Problem error={error} onRetry={reload} />
      </Screen>
    );
  }
  return job ? <Loaded job={job} isGone={isGone(error)} /> : <Unloaded id={id} />;
}

const isGone = (error: unknown): boolean => (error as { status?: number } | null)?.status === 404;

const Unloaded = ({ id }: { id: string }) => (
  <Screen title={id}>
    <Loading rows={8} />
  </Screen>
);

function Loaded({ job, isGone }: { job: JobDetails; isGone: boolean }) {
  return (
    <Screen
      title={job.name ?? job.id}
      heading={<Heading job={job} />}
      actions={!isGone && <JobActions job={job} />}
    >
      {isGone && <p class="gone">This job was deleted. This page shows its last known state.</p>}
      <CommandBlock command={job.command} />
      <div class="job-columns">
        <div>
          <Why job={job} />
          <Attempts job={job} />
          <ResultSection job={job} />
          <Output job={job} />
          <Relations job={job} />
          <Commands job={job} />
        </div>
        <div>
          <Facts job={job} />
          <Isolation job={job} />
        </div>
      </div>
    </Screen>
  );
}

const Heading = ({ job }: { job: JobDetails }) => (
  <span class="job-heading">
    <State state={job.state} note={job.held ? 'held' : null} />
    <span class="mono">{job.id}</span>
    {job.name && <span class="muted">{job.name}</span>}
  </span>
);
