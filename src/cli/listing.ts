// What `list` and `dlq list` share: the filters, how many jobs to show, and saying when there are more.

import { QueueError } from '../errors.ts';
import type { Job, JobState } from '../job/job.ts';
import type { Queue } from '../queue.ts';
import type { ListQuery } from '../store/store.ts';
import type { Context, OptionSpec } from './command.ts';
import { count } from './render/human.ts';

export const LISTING_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  queue: { kind: 'text', value: 'NAME', means: 'only this queue' },
  search: { kind: 'text', value: 'TEXT', means: 'only with this text in id, command or last error' },
  limit: {
    kind: 'integer',
    short: 'n',
    value: 'N',
    means: 'at most so many; 0 for all (default: 50, piped 1000)',
  },
};

const ON_A_TERMINAL = 50;
const PIPED = 1000;

/** Asks for one more than shown, to know whether there are more. */
export async function listJobs(
  context: Context,
  queue: Queue,
  rest: Pick<ListQuery, 'states' | 'sort' | 'descending'>,
): Promise<Job[]> {
  const limit = limitOf(context);
  const filter = { queue: context.options.text('queue'), search: context.options.text('search') };
  const found = await queue.list({ ...rest, ...filter, limit: limit === null ? null : limit + 1 });
  if (limit === null || found.length <= limit) return found;
  const total = filter.search ? null : await totalOf(queue, filter.queue, rest.states);
  context.terminal.say(
    `showing ${count(limit)}${total === null ? '' : ` of ${count(total)}`}: --limit 0 shows all`,
  );
  return found.slice(0, limit);
}

function limitOf({ options, terminal }: Context): number | null {
  const given = options.number('limit');
  if (given !== undefined && given < 0) {
    throw new QueueError('usage', {
      problem: `--limit must be 0 or more, not ${given}`,
      hint: '0 shows all',
    });
  }
  if (given !== undefined) return given === 0 ? null : given;
  return terminal.width === null || terminal.json ? PIPED : ON_A_TERMINAL;
}

/** From the counters: counting jobs would take long just to say how many are not shown. */
async function totalOf(
  queue: Queue,
  name: string | undefined,
  states: readonly JobState[] | undefined,
): Promise<number> {
  const { queues } = await queue.overview();
  return queues
    .filter((row) => name === undefined || row.queue === name)
    .flatMap(({ counts }) => Object.entries(counts) as [JobState, number][])
    .filter(([state]) => states?.includes(state) ?? true)
    .reduce((sum, [, n]) => sum + n, 0);
}
