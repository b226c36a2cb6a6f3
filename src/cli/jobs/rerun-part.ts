// Retries a part of a workflow. On a terminal, shows the affected jobs and asks for confirmation.

import type { Job } from '../../job/job.ts';
import type { Rerun, RerunMode } from '../../job/flow/rerun.ts';
import { jobToJson } from '../../job/wire.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { Context, Result } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { BULK_OPTIONS } from './change-jobs.ts';
import { jobLines } from './job-lines.ts';
import { many } from '../render/kit/human.ts';
import { oneLine } from '../render/kit/one-line.ts';
import { someArguments } from '../required.ts';

const WHICH = 'queuectl retry ID|group:NAME --all; to retry all dead jobs: queuectl dlq retry --all';

export async function rerunPart(context: Context<typeof BULK_OPTIONS>, mode: RerunMode): Promise<Result> {
  const queue = await context.queue();
  const plan = await queue.planRerun(someArguments(context, 'id', 'retry', WHICH), mode);
  if (plan.retry.length + plan.block.length === 0) return nothing(mode);
  if (context.options.has('dry-run')) return preview(queue, plan);
  if (!(await isWanted(context, queue, plan))) return { text: 'nothing was changed' };
  await queue.rerun(plan);
  return jobLines(await jobsOf(queue, plan), ({ state }) => state);
}

const nothing = (mode: RerunMode): Result => ({
  data: [],
  text: mode === 'all' ? 'nothing to retry: no job has run yet' : 'nothing to retry: no job failed',
});

const jobsOf = (queue: AnyQueue, { retry, block }: Rerun): Promise<Job[]> => queue.getAll([...retry, ...block]);

/** Shows the jobs with their states after the retry. */
async function preview(queue: AnyQueue, plan: Rerun): Promise<Result> {
  const starts = new Set(plan.retry);
  const jobs = await jobsOf(queue, plan);
  const becomes = ({ id }: Job): string => (starts.has(id) ? 'pending' : 'blocked');
  const lines = jobLines(jobs, (job) => `${nameOf(job)}${job.state} -> ${becomes(job)}`);
  return {
    data: jobs.map((job) => ({ ...jobToJson(job), becomes: becomes(job) })),
    text: `${lines.text}\n${summary(plan)}`,
  };
}

const nameOf = ({ name }: Job): string => (name === null ? '' : `${oneLine(name)}  `);

const summary = ({ retry, block }: Rerun): string =>
  [
    `${many(retry.length, 'job')} would run now`,
    ...(block.length === 0 ? [] : [`${many(block.length, 'dependent')} would run afterwards`]),
  ].join(', ');

/** Scripts need no --yes, because a retry deletes nothing. */
async function isWanted(context: Context<typeof BULK_OPTIONS>, queue: AnyQueue, plan: Rerun): Promise<boolean> {
  const { options, terminal } = context;
  if (options.has('yes') || !terminal.canAsk || terminal.json) return true;
  const { text = '' } = await preview(queue, plan);
  for (const line of text.split('\n')) terminal.say(line);
  return confirm(context, `retry ${many(plan.retry.length + plan.block.length, 'job')}`);
}
