// The command lines that do the same as this screen: to learn them, or for a script.

import { CommandLine } from '../../components/copy.tsx';
import { confinementFlags, givenByConfinement, recipeFlags } from '../../confinement/given.ts';
import { Section } from '../../components/screen.tsx';
import { shellWord } from '../../core/format.ts';
import type { JobDetails } from '../../core/types.ts';

export function Commands({ job }: { job: JobDetails }) {
  return (
    <Section title="The same at the command line">
      <div class="commands">
        {commandsOf(job).map((command) => (
          <CommandLine key={command} command={command} />
        ))}
      </div>
    </Section>
  );
}

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

/** One that would make such a job again. */
function enqueueOf(job: JobDetails): string {
  const { command, queue, priority, tags, timeout_seconds, recipe } = job;
  const given = givenByConfinement(job);
  const flags = [
    queue === 'default' ? '' : `--queue ${shellWord(queue)}`,
    priority === 0 ? '' : `--priority ${priority}`,
    timeout_seconds === null ? '' : `--timeout ${timeout_seconds}s`,
    ...tags.map((tag) => `--tag ${shellWord(tag)}`),
    ...confinementFlags(given),
    ...(recipe === null ? [] : recipeFlags(given)),
  ].filter(Boolean);
  const what = typeof command === 'string' ? shellWord(command) : `-- ${command.map(shellWord).join(' ')}`;
  return ['queuectl enqueue', ...flags, ...(recipe === null ? [what] : [])].join(' ');
}
