// Checks jobs from the command line. In addition to the checks for all jobs, the working directory must exist, unless
// several hosts share the queue: it may be on another host.

import { statSync } from 'node:fs';
import { QueueError } from '../../errors/errors.ts';
import type { NewJob } from '../../job/job.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { Intake, JobInput } from '../../queue/queue.ts';
import type { Context } from '../command.ts';
import { inheritsByFlags, type JOB_OPTIONS, saidByFlags } from '../options/job-options.ts';

type JobContext = Context<Pick<typeof JOB_OPTIONS, 'stdin' | 'inherit-env' | 'no-inherit-env'>>;

export async function jobIntake(
  context: JobContext,
  queue: AnyQueue,
  overrides: JobInput = saidByFlags(context),
): Promise<Intake> {
  const said = { ...overrides, ...(await stdinByFlag(context)) };
  const intake = await queue.intake(said, inheritsByFlags(context));
  const found = new Set<string>(); // thousands of jobs use few directories
  const read = (raw: unknown): NewJob => {
    const job = intake.read(raw);
    if (queue.local === null) return job; // the directory is on the host of the server
    if (job.cwd === null && context.cwd === null) throw removed();
    if (job.cwd === null) return job; // the job runs in the private directory of a required sandbox
    if (!queue.spansHosts && !found.has(job.cwd)) checkFolder(job.cwd);
    found.add(job.cwd);
    return job;
  };
  return { ...intake, read };
}

async function stdinByFlag({ options }: JobContext): Promise<{ stdin?: Uint8Array }> {
  const path = options.text('stdin');
  if (path === undefined) return {};
  const { stdinFrom } = await import('./job-stdin.ts'); // few jobs have standard input
  return { stdin: await stdinFrom(path) };
}

const removed = (): QueueError =>
  new QueueError('folder_gone', { so: '', hint: 'change to an existing directory, or set one: --cwd DIR' });

export function checkFolder(path: string): void {
  const problem = problemWith(path);
  if (problem === null) return;
  throw new QueueError('folder_missing', {
    path,
    problem,
    hint: `create it: mkdir -p ${path}; or set another directory: --cwd DIR`,
  });
}

function problemWith(path: string): string | null {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'does not exist';
    return stats.isDirectory() ? null : 'is not a directory';
  } catch {
    return 'is not accessible';
  }
}
