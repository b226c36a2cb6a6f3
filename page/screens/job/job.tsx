// A job with its command, state, attempts, live output and the equivalent commands.

import { Loading, Problem } from '../../components/feedback.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen, Section } from '../../components/screen.tsx';
import { State } from '../../components/state.tsx';
import { useResource } from '../../core/resource.ts';
import { itemHref, type Parameters } from '../../core/router.ts';
import type { JobDetails } from '../../core/types.ts';
import { JobActions } from './actions.tsx';
import { Attempts } from './attempts.tsx';
import { CommandBlock } from './command-block.tsx';
import { Isolation } from './isolation.tsx';
import { JobFacts } from './facts.tsx';
import { Output } from './output.tsx';
import { Relations } from './relations.tsx';
import { Why } from './why.tsx';
import { percent, shellWord } from '../../core/format.ts';
import { hiddenVariables, settableOf } from '../../core/settable.ts';
import { CopyButton } from '../../components/copy.tsx';

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

function commandsOf(job: JobDetails): string[] {
  const isRunning = job.state === 'processing';
  return [
    enqueueOf(job),
    `queuectl show ${job.id}`,
    `queuectl logs ${job.id}${isRunning ? ' -f' : ''}`,
    ...(['pending', 'blocked', 'failed'].includes(job.state) ? [`queuectl why ${job.id}`] : []),
    ...(isRunning ? [`queuectl cancel ${job.id}`] : []),
    ...(['failed', 'dead'].includes(job.state) ? [`queuectl retry ${job.id}`] : []),
  ];
}

/** Clones the job. Hidden variables come from the shell, and standard input from a file. */
function enqueueOf(job: JobDetails): string {
  const { command, ...fields } = settableOf(job, Date.now());
  const flags = [
    ...hiddenVariables(job).map((name) => `-e ${shellWord(name)}`),
    ...(job.stdin_bytes === null ? [] : ['--stdin FILE']),
  ];
  const isPlain = typeof command === 'string' && Object.keys(fields).length === 0;
  const what = isPlain ? command : JSON.stringify({ ...(command !== undefined && { command }), ...fields });
  return ['queuectl enqueue', ...flags, shellWord(what)].join(' ');
}

function ResultSection({ job }: { job: JobDetails }) {
  const hasResult = job.result !== null && job.result !== undefined;
  return (
    <>
      {job.progress !== null && job.state !== 'completed' && <Progress job={job} progress={job.progress} />}
      {hasResult && <Result text={JSON.stringify(job.result, null, 2)} />}
    </>
  );
}

/** `progress` is a percentage. */
const Progress = ({ job, progress }: { job: JobDetails; progress: number }) => (
  <Section title="Progress" note={job.progress_note}>
    <div class="progress-line">
      <progress max={100} value={progress} aria-label="progress" />
      <span>{percent(progress / 100)}</span>
    </div>
  </Section>
);

const Result = ({ text }: { text: string }) => (
  <Section title="Result">
    <div class="command-block">
      <pre>{text}</pre>
      <CopyButton text={text} label="copy the result" />
    </div>
  </Section>
);
