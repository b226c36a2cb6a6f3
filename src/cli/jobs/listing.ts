// Shared code of `list` and `dlq list`: the limit, the columns, page by page output, a notice about further jobs, and
// --watch.

import { usageError } from '../../errors/errors.ts';
import type { Job } from '../../job/job.ts';
import { type Json, jobToJson } from '../../job/wire.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import { obstaclesOf } from '../../report/waiting/obstacles.ts';
import type { JobFilter, ListQuery } from '../../store/store.ts';
import type { Context, OptionSpecs } from '../command.ts';
import { inRange } from '../options/checks.ts';
import { FILTER_OPTIONS } from '../options/filtering.ts';
import { type JobWriter, jsonWriter, tableWriter } from './job-writer.ts';
import { count } from '../render/kit/human.ts';
import { type JobColumns, jobTable, withObstacles } from '../render/job.ts';
import type { Screen } from '../terminal.ts';
import { WATCH, watch } from '../watch.ts';

export const LISTING_OPTIONS = {
  ...FILTER_OPTIONS,
  limit: {
    kind: 'integer',
    short: 'n',
    value: 'N',
    help: 'maximum number of jobs; 0 for all (default: one screen, or 1000 when piped)',
  },
  columns: { kind: 'text', value: 'A,B', help: 'columns to show, for example id,state,created_at' },
  ...WATCH,
} satisfies OptionSpecs;

type ListContext = Context<typeof LISTING_OPTIONS>;
type Wanted = JobFilter & Pick<ListQuery, 'sort' | 'descending'>;

/** What a list shows for each job, as text and as JSON. */
interface Shown {
  readonly columns: JobColumns;
  /** Called before jobs are shown as text. */
  readonly look: (queue: AnyQueue, jobs: readonly Job[]) => Promise<void>;
  readonly toJson: (job: Job) => Json;
  /** Whether a column of running jobs is read from the operating system. */
  readonly isLive: boolean;
}

/** Calls `wanted` for each view, because filters may depend on the time. Returns the IDs of the first few jobs. */
export async function writeJobs(
  context: ListContext,
  wanted: () => Wanted,
  columns: JobColumns,
): Promise<readonly string[] | 'watched'> {
  const { terminal, options } = context;
  const shown = await shownBy(context, columns);
  const limit = limitOf(context);
  const queue = await context.queue();
  if (options.has('watch')) return watchJobs(context, () => ({ ...wanted(), limit }), shown);
  const query = { ...wanted(), limit };
  const writer = terminal.json
    ? jsonWriter(terminal, shown.toJson)
    : tableWriter(shown.columns, terminal, () => queue.now());
  const { first, isCutOff } = await writePages(queue, query, writer, shown);
  if (isCutOff) terminal.say(await cutOff(queue, query, limit ?? 0));
  return first;
}

async function shownBy({ options, terminal }: ListContext, usual: JobColumns): Promise<Shown> {
  const chosen = await columnsBy(options, usual);
  let obstacles: ReadonlyMap<string, string> = new Map();
  const look = async (queue: AnyQueue, jobs: readonly Job[]): Promise<void> => {
    if (!terminal.json) obstacles = await obstaclesOf(queue, jobs);
  };
  return { ...chosen, columns: withObstacles(chosen.columns, ({ id }) => obstacles.get(id)), look };
}

async function columnsBy({ text }: ListContext['options'], columns: JobColumns): Promise<Omit<Shown, 'look'>> {
  const given = text('columns');
  if (given === undefined) return { columns, toJson: (job) => jobToJson(job), isLive: false };
  const { areLive, chosenFields, columnsFor, pickFields } = await import('../render/kit/columns.ts');
  const fields = chosenFields(given);
  const toJson: Shown['toJson'] = (job) => pickFields(jobToJson(job), fields);
  return { columns: columnsFor(fields), toJson, isLive: areLive(fields) };
}

async function watchJobs(
  context: ListContext,
  query: () => ListQuery,
  { columns, toJson, isLive, look }: Shown,
): Promise<'watched'> {
  if (context.options.number('limit') === 0) throw usageError('--watch requires a limit', 'set a limit: --limit 100');
  await watch(context, async () => {
    const queue = await context.queue();
    const found = await queue.list(query());
    const jobs = isLive ? await liveJobs(queue, found) : found;
    await look(queue, jobs);
    const now = queue.now();
    const data = jobs.map(toJson);
    return { now, data, changesWith: data, text: (screen) => tableOf(columns, jobs, now, screen) };
  });
  return 'watched';
}

const liveJobs = async (queue: AnyQueue, jobs: readonly Job[]): Promise<Job[]> =>
  (await import('../../report/live-usage.ts')).withLiveUsage(queue, jobs);

function tableOf(columns: JobColumns, jobs: readonly Job[], now: number, screen: Screen): string {
  if (jobs.length === 0) return 'no jobs match';
  const { head, rows } = jobTable(columns, jobs, true, now, screen);
  return [head, ...rows(jobs, now)].join('\n');
}

/** Reads one job more than it shows, to find out whether there are more. */
async function writePages(
  queue: AnyQueue,
  query: ListQuery,
  writer: JobWriter,
  { isLive, look }: Shown,
): Promise<{ first: string[]; isCutOff: boolean }> {
  const limit = query.limit ?? Number.POSITIVE_INFINITY;
  const first: string[] = [];
  let left = limit;
  let isCutOff = false;
  const { pages } = await queue.reports();
  for await (const { jobs, isAll } of pages({ ...query, limit: query.limit === null ? null : limit + 1 })) {
    const shown = jobs.slice(0, left);
    if (left === limit) first.push(...shown.slice(0, 3).map(({ id }) => id));
    await look(queue, shown);
    writer.write(isLive ? await liveJobs(queue, shown) : shown, isAll);
    isCutOff ||= jobs.length > left;
    left -= shown.length;
  }
  writer.end();
  return { first, isCutOff };
}

async function cutOff(queue: AnyQueue, query: ListQuery, limit: number): Promise<string> {
  const total = await queue.countOf(query);
  return `showing ${count(limit)}${total === null ? '' : ` of ${count(total)}`}; show all with --limit 0`;
}

const PIPED = 1000;

/** The table header, the line with the total, and the shell prompt. */
const OTHER_LINES = 3;
const FEWEST_ON_A_SCREEN = 5;

type LimitContext = Context<Pick<typeof LISTING_OPTIONS, 'limit'>>;

export function limitOf({ options, terminal }: LimitContext): number | null {
  const given = options.number('limit');
  if (given !== undefined) return inRange('limit', given, 0) || null;
  if (terminal.height === null || terminal.json) return PIPED;
  return Math.max(FEWEST_ON_A_SCREEN, terminal.height - OTHER_LINES);
}
