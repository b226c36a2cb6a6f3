import { usageError } from '../../errors/errors.ts';
import { isoTime, type Json } from '../../job/wire.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { ErrorGroup, JobFilter } from '../../store/store.ts';
import type { Command, Context, OptionSpecs, Result } from '../command.ts';
import { FILTER_NOTE, filterFrom } from '../options/filtering.ts';
import { LISTING_OPTIONS, writeJobs } from '../jobs/listing.ts';
import { DEAD } from '../render/job.ts';
import type { Screen } from '../terminal.ts';
import { count, fromNow } from '../render/kit/human.ts';
import { oneLine } from '../render/kit/one-line.ts';
import { tableOf } from '../render/kit/table.ts';

const OPTIONS = {
  ...LISTING_OPTIONS,
  'group-by': {
    kind: 'text',
    value: 'error',
    help: 'count dead jobs by error, most frequent first',
    choices: ['error'],
  },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'dlq list',
  purpose: 'look',
  summary: 'list dead jobs (the dead letter queue): jobs with no retries left',
  usage: ['[FILTER] [--queue NAME] [--error TEXT] [--limit N]', '[FILTER] --group-by error'],
  options: OPTIONS,
  examples: [
    ['queuectl dlq list', 'list dead jobs, newest first'],
    ['queuectl dlq list --error ENOSPC', 'list dead jobs whose error contains a text'],
    ['queuectl dlq list queue:mail newer:1d', 'list dead jobs that match a filter'],
    ['queuectl dlq list --group-by error', 'count dead jobs by error'],
    ['queuectl dlq list --json', 'print dead jobs as JSON'],
  ],
  notes: [FILTER_NOTE],
  completes: 'filter',
  run: async (context) => {
    const queue = await context.queue();
    const wanted = (): JobFilter => filterFrom(context, [...context.args, ...(context.exact ?? [])], queue.now());
    return context.options.has('group-by') ? grouped(context, queue, wanted()) : listed(context, wanted);
  },
};

async function listed(context: Context<typeof OPTIONS>, wanted: () => JobFilter): Promise<Result> {
  const shown = await writeJobs(
    context,
    () => ({ states: ['dead'], and: [wanted()], sort: 'finished', descending: true }),
    DEAD,
  );
  if (shown === 'watched') return {};
  const [first] = shown;
  if (first === undefined) context.terminal.hint('no dead jobs');
  else {
    context.terminal.hint(`retry: queuectl dlq retry ${first} | --all`);
    context.terminal.hint('count by error: queuectl dlq list --group-by error');
  }
  return {};
}

const MOST_GROUPS = 50;

async function grouped(
  { options, terminal }: Context<typeof OPTIONS>,
  queue: AnyQueue,
  filter: JobFilter,
): Promise<Result> {
  if (options.text('group-by') !== 'error' || options.has('watch') || options.has('columns'))
    throw usageError(
      '--group-by requires the value error and cannot be combined with --watch or --columns',
      'queuectl dlq list --group-by error',
    );
  const groups = await queue.errorGroups(filter, options.number('limit') || MOST_GROUPS);
  const [largest] = groups;
  if (largest === undefined) terminal.hint('no dead jobs');
  else terminal.hint(`retry the most frequent: queuectl dlq retry --error ${largest.fingerprint ?? 'TEXT'}`);
  return {
    data: groups.map(groupToJson),
    text: errorGroupsText(groups, queue.now(), terminal),
  };
}

const groupToJson = ({ fingerprint, jobs, newestAt, exampleId, exampleError }: ErrorGroup): Json => ({
  fingerprint,
  jobs,
  newest_at: isoTime(newestAt),
  example: { id: exampleId, last_error: exampleError },
});

const errorGroupsText = (groups: readonly ErrorGroup[], now: number, screen: Screen): string =>
  tableOf(
    groups,
    [
      { title: 'jobs', align: 'right', cell: ({ jobs }) => count(jobs) },
      { title: 'fingerprint', cell: ({ fingerprint }) => fingerprint ?? '' },
      { title: 'newest', spare: 2, cell: ({ newestAt }) => fromNow(newestAt, now) },
      { title: 'example', cell: ({ exampleId }) => exampleId },
      { title: 'error', gives: true, least: 20, cell: ({ exampleError }) => oneLine(exampleError ?? '') },
    ],
    screen,
  );
