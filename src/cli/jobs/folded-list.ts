// `list` without a filter or sort order shows each group as one line, because an array of thousands of jobs would hide
// all others.

import { type Job, STATES } from '../../job/job.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import { obstaclesOf } from '../../report/waiting/obstacles.ts';
import type { GroupedJob, GroupRecord } from '../../store/store.ts';
import type { Context } from '../command.ts';
import { STATE_OPTION } from '../options/filtering.ts';
import { LISTING_OPTIONS, limitOf } from './listing.ts';
import { many } from '../render/kit/human.ts';
import { type JobColumns, jobTable, withObstacles } from '../render/job.ts';
import { countsText } from '../render/kit/state-counts.ts';
import { cut } from '../render/kit/text.ts';

/** Only this many of the newest jobs are read. */
const LOOKED_AT = 20_000;

type ListContext = Context<typeof LISTING_OPTIONS>;

/** Whether the command has no filter, sort order or other option that asks for jobs. */
export const mayFold = ({ options, terminal }: ListContext): boolean =>
  !terminal.json && options.number('limit') !== 0 && Object.keys(options.pick(...SPECIAL)).length === 0;

const SPECIAL = [
  ...Object.keys({ ...STATE_OPTION, ...LISTING_OPTIONS }).filter((name) => name !== 'limit'),
  ...['all', 'sort', 'reverse'],
];

/** Returns false, without writing anything, if there are no groups. */
export async function writeFolded(context: ListContext, columns: JobColumns): Promise<boolean> {
  const queue = await context.queue();
  if (context.args.length > 0 || context.exact !== null || (await queue.groups.all(1)).length === 0) return false;
  const limit = limitOf(context) ?? Number.POSITIVE_INFINITY;
  const rows = rowsOf(await queue.groups.ofNewest(LOOKED_AT));
  if (!rows.some(isGroup)) return false;
  await write(context, queue, rows.slice(0, limit), columns);
  context.terminal.hint('groups are folded; list every job with: queuectl list --all');
  return true;
}

/** A job, or a group at the position of its newest job. */
interface FoldedRow {
  readonly id: string | null;
  readonly group: string | null;
}

const isGroup = ({ id }: FoldedRow): boolean => id === null;

function rowsOf(jobs: readonly GroupedJob[]): FoldedRow[] {
  const rows = new Map<string, FoldedRow>();
  for (const { id, group } of jobs) {
    if (group === null) rows.set(`job ${id}`, { id, group });
    else rows.set(`group ${group}`, { id: null, group });
  }
  return [...rows.values()];
}

async function write(
  { terminal }: Context,
  queue: AnyQueue,
  rows: readonly FoldedRow[],
  columns: JobColumns,
): Promise<void> {
  const jobs = new Map((await queue.getAll(rows.flatMap(({ id }) => id ?? []))).map((job) => [job.id, job]));
  const now = queue.now();
  const obstacles = await obstaclesOf(queue, [...jobs.values()]);
  const shown = withObstacles(columns, ({ id }) => obstacles.get(id));
  const table = jobTable(shown, [...jobs.values()], true, now, terminal);
  const lines = jobs.size > 0 ? [table.head] : [];
  for (const { id, group } of rows) {
    const job: Job | undefined = id === null ? undefined : jobs.get(id);
    const record = group === null ? null : await queue.groups.get(group);
    if (job) lines.push(...table.rows([job], now));
    if (id === null && record) lines.push(groupLine(record, terminal));
  }
  terminal.out(`${lines.join('\n')}\n`);
}

function groupLine({ name, counts }: GroupRecord, { style, width }: Context['terminal']): string {
  const total = STATES.reduce((sum, state) => sum + counts[state], 0);
  const line = `group:${name}  ${many(total, 'job')}: ${countsText(counts, style)}`;
  return width === null ? line : cut(line, width);
}
