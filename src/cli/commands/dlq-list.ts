// queuectl dlq list: the dead letter queue, the last to die first.

import { jobToJson } from '../../job/wire.ts';
import type { Command, Context, Result } from '../command.ts';
import { LISTING_OPTIONS, listJobs } from '../listing.ts';
import { deadTable } from '../render/job.ts';
import { theseArguments } from '../required.ts';

export const command: Command = {
  name: 'dlq list',
  purpose: 'look',
  summary: 'list the dead letter queue: jobs whose retries are used up',
  usage: ['[--queue NAME] [--search TEXT] [--limit N]'],
  options: LISTING_OPTIONS,
  examples: [
    ['queuectl dlq list', 'the last to die first'],
    ['queuectl dlq list --search ENOSPC', 'those that died of the same cause'],
    ['queuectl dlq list --json', 'as data'],
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  theseArguments(context, [], 'dlq list');
  const { terminal } = context;
  const queue = await context.queue();
  const jobs = await listJobs(context, queue, { states: ['dead'], sort: 'finished', descending: true });
  const data = jobs.map((job) => jobToJson(job));
  if (jobs.length === 0) terminal.hint('no dead jobs');
  if (terminal.json || jobs.length === 0) return { data };
  // Written here, so that what to do next stands beneath it.
  terminal.out(`${deadTable(jobs, queue.store.now(), terminal)}\n`);
  terminal.hint(terminal.style.dim(`again: queuectl dlq retry ${jobs[0]?.id} | --all`));
  return {};
}
