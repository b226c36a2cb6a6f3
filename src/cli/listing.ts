// What `list` and `dlq list` share: the filters, how many jobs to show, writing them as they come, and saying when there
// are more.

import { QueueError } from '../errors.ts';
import type { Queue } from '../queue.ts';
import { jobPages } from '../report/job-pages.ts';
import type { ListQuery } from '../store/store.ts';
import type { Context, OptionSpec } from './command.ts';
import { type JobWriter, jsonWriter, tableWriter } from './job-writer.ts';
import { count } from './render/human.ts';
import type { JobColumns } from './render/job.ts';

export const LISTING_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  queue: { kind: 'text', value: 'NAME', means: 'only this queue' },
  search: { kind: 'text', value: 'TEXT', means: 'only with this text in id, command or last error' },
  limit: {
    kind: 'integer',
    short: 'n',
    value: 'N',
    means: 'at most so many; 0 for all (default: a screenful, piped 1000)',
  },
};

type Wanted = Pick<ListQuery, 'states' | 'sort' | 'descending'>;

/** Writes the jobs that match, as JSON or in these columns. Answers the ids of the first few, none when there are none. */
export async function writeJobs(
  context: Context,
  wanted: Wanted,
  columns: JobColumns,
): Promise<readonly string[]> {
  const { options, terminal } = context;
  const limit = limitOf(context);
  const queue = await context.queue();
  const filter = { queue: options.text('queue'), search: options.text('search') };
  const query = { ...wanted, ...filter, limit };
  const writer = terminal.json ? jsonWriter(terminal) : tableWriter(columns, terminal, () => queue.now());
  const { first, isCutOff } = await writePages(queue, query, writer);
  if (isCutOff) terminal.say(await cutOff(queue, query, limit ?? 0));
  return first;
}

/** Asks for one more than shown, to know whether there are more. */
async function writePages(
  queue: Queue,
  query: ListQuery,
  writer: JobWriter,
): Promise<{ first: string[]; isCutOff: boolean }> {
  const limit = query.limit ?? Number.POSITIVE_INFINITY;
  const first: string[] = [];
  let left = limit;
  let isCutOff = false;
  for await (const { jobs, isAll } of jobPages(queue, { ...query, limit: oneMore(query.limit) })) {
    const shown = jobs.slice(0, left);
    if (left === limit) first.push(...shown.slice(0, 3).map(({ id }) => id));
    writer.write(shown, isAll);
    isCutOff ||= jobs.length > left;
    left -= shown.length;
  }
  writer.end();
  return { first, isCutOff };
}

const oneMore = (limit: number | null): number | null => (limit === null ? null : limit + 1);

async function cutOff(queue: Queue, query: ListQuery, limit: number): Promise<string> {
  const total = await queue.countOf(query);
  return `showing ${count(limit)}${total === null ? '' : ` of ${count(total)}`}: --limit 0 shows all`;
}

const PIPED = 1000;

/** The head of the table, the line that says how many there are, and the prompt that follows. */
const OTHER_LINES = 3;
const FEWEST_ON_A_SCREEN = 5;

function limitOf({ options, terminal }: Context): number | null {
  const given = options.number('limit');
  if (given !== undefined && given < 0) {
    throw new QueueError('usage', {
      problem: `--limit must be 0 or more, not ${given}`,
      hint: '0 shows all',
    });
  }
  if (given !== undefined) return given === 0 ? null : given;
  if (terminal.height === null || terminal.json) return PIPED;
  return Math.max(FEWEST_ON_A_SCREEN, terminal.height - OTHER_LINES);
}
