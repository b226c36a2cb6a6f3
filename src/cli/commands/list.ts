import { type QueueError, usageError } from '../../errors/errors.ts';
import { STATES } from '../../job/job.ts';
import { nearest } from '../../text/nearest.ts';
import { type ListQuery, SORTS, type Sort } from '../../store/store.ts';
import type { Command, Context, OptionSpecs } from '../command.ts';
import { deadHint } from '../jobs/dead-hint.ts';
import { FILTER_NOTE, FILTER_OPTIONS, filterFrom, STATE_OPTION } from '../options/filtering.ts';
import { mayFold, writeFolded } from '../jobs/folded-list.ts';
import { LISTING_OPTIONS, writeJobs } from '../jobs/listing.ts';
import { LIST } from '../render/job.ts';

const OPTIONS = {
  ...STATE_OPTION,
  ...LISTING_OPTIONS,
  sort: {
    kind: 'text',
    value: 'KEY',
    help: 'sort order (default: created); -KEY reverses it',
    choices: SORTS,
  },
  all: { kind: 'flag', help: 'list each job, including jobs that are folded into groups' },
  reverse: { kind: 'flag', short: 'r', help: 'reverse the sort order' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'list',
  purpose: 'look',
  summary: 'list jobs, newest first',
  usage: ['[FILTER] [--state STATE]... [--sort KEY] [--limit N]'],
  options: OPTIONS,
  examples: [
    ['queuectl list', 'list the newest jobs'],
    ['queuectl list --state failed,dead', 'list failed and dead jobs'],
    [`queuectl list 'state:dead queue:mail error:"no such file" newer:1d'`, 'list jobs that match a filter'],
    ['queuectl list --search convert --sort duration', 'list the slowest jobs whose command contains convert'],
    ['queuectl list --columns id,queue,created_at --watch', 'show these fields and keep them up to date'],
    ['queuectl list --state pending --json --limit 0', 'print all pending jobs as JSON'],
  ],
  notes: [FILTER_NOTE, `States: ${STATES.join(', ')}.\nSort keys: ${SORTS.join(', ')}.`],
  completes: 'filter',
  run: async (context) => {
    rejectBareState(context);
    if (mayFold(context) && (await writeFolded(context, LIST))) return {};
    const order = orderOf(context.options.text('sort') ?? 'created', context.options.has('reverse'));
    const queue = await context.queue();
    const wanted = () => ({ ...filterFrom(context, wordsOf(context), queue.now()), ...order });
    const shown = await writeJobs(context, wanted, LIST);
    if (shown.length === 0) await sayNone(context);
    return {};
  },
};

const wordsOf = ({ args, exact }: Context): readonly string[] => [...args, ...(exact ?? [])];

async function sayNone(context: Context<typeof OPTIONS>): Promise<void> {
  const states = context.options.all('state').flatMap((list) => list.split(','));
  const none = `no ${states.map((state) => `${state} `).join('or ')}jobs${narrowed(context)}`;
  const isAboutFailed = states.includes('failed') && !states.includes('dead');
  const elsewhere = isAboutFailed ? await deadOnes(context) : null;
  if (elsewhere === null) context.terminal.hint(none);
  else context.terminal.remark(`${none}, but ${elsewhere}`);
}

/** Users often type `list dead`. */
function rejectBareState({ args }: Context): void {
  const state = STATES.find((known) => known === args[0]?.toLowerCase());
  if (state === undefined) return;
  throw usageError(`'${args[0]}' is a state; list takes states as an option`, `queuectl list --state ${state}`);
}

/** Users who look for failed jobs may mean dead ones. */
const deadOnes = async (context: Context<typeof OPTIONS>): Promise<string | null> =>
  isNarrowed(context) ? null : deadHint(context, 'queuectl list --state dead');

/** Whether there is a filter besides the state and the queue. */
const isNarrowed = (context: Context): boolean =>
  wordsOf(context).length > 0 || Object.keys(context.options.pick(...NARROWING)).length > 0;

const NARROWING = Object.keys(FILTER_OPTIONS).filter((name) => name !== 'queue');

function narrowed(context: Context<typeof OPTIONS>): string {
  const queue = context.options.text('queue');
  return `${queue === undefined ? '' : ` in queue ${queue}`}${isNarrowed(context) ? ' match' : ''}`;
}

/** Other sort keys show the newest, longest or largest first. */
const ASCENDING: readonly Sort[] = ['next_run'];

function orderOf(given: string, reversed: boolean): Pick<ListQuery, 'sort' | 'descending'> {
  const word = given.replace(/^-/, '').replaceAll('-', '_').toLowerCase();
  const sort = SORTS.find((known) => known === word);
  if (!sort) throw unknownSort(given);
  const isTurned = given.startsWith('-') !== reversed;
  return { sort, descending: ASCENDING.includes(sort) === isTurned };
}

function unknownSort(word: string): QueueError {
  const near = nearest(word, SORTS);
  return usageError(
    `unknown sort key '${word}'; use one of ${SORTS.join(', ')}`,
    near ? `did you mean '${near}'?` : '',
  );
}
