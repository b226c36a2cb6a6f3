// queuectl dlq list: the dead letter queue, the last to die first.

import type { Command, Context, Result } from '../command.ts';
import { LISTING_OPTIONS, writeJobs } from '../listing.ts';
import { DEAD } from '../render/job.ts';
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
  const [first] = await writeJobs(context, { states: ['dead'], sort: 'finished', descending: true }, DEAD);
  if (first === undefined) terminal.hint('no dead jobs');
  else terminal.hint(`again: queuectl dlq retry ${first} | --all`);
  return {};
}
