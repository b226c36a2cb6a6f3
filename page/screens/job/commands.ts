// The commands that do the same as the screen of a job.

import { shellWord } from '../../core/format.ts';
import { hiddenVariables, settableOf } from '../../core/settable.ts';
import type { JobDetails } from '../../core/types.ts';

export function commandsOf(job: JobDetails): string[] {
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
