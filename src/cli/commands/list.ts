// queuectl list: jobs, newest first unless said otherwise.

import { QueueError } from '../../errors.ts';
import { type JobState, STATES } from '../../job/job.ts';
import { nearest } from '../../text/nearest.ts';
import { type ListQuery, SORTS, type Sort } from '../../store/store.ts';
import type { Command, Context, Result } from '../command.ts';
import { deadHint } from '../dead-hint.ts';
import { LISTING_OPTIONS, writeJobs } from '../listing.ts';
import { LIST } from '../render/job.ts';
import { theseArguments } from '../required.ts';

export const command: Command = {
  name: 'list',
  purpose: 'look',
  summary: 'list jobs, newest first',
  usage: ['[--state STATE]... [--search TEXT] [--sort KEY] [--limit N]'],
  options: {
    state: {
      kind: 'text',
      short: 's',
      value: 'STATE',
      many: true,
      means: 'only in this state (repeatable, or a,b)',
      choices: STATES,
    },
    ...LISTING_OPTIONS,
    sort: { kind: 'text', value: 'KEY', means: 'order (default: created); -KEY reverses', choices: SORTS },
    reverse: { kind: 'flag', short: 'r', means: 'the other way round' },
  },
  examples: [
    ['queuectl list', 'the newest'],
    ['queuectl list --state failed,dead', 'what went wrong'],
    ['queuectl list --search convert --sort duration', 'the slowest with convert in them'],
    ['queuectl list --state pending --json --limit 0', 'all that wait, as data'],
  ],
  notes: [`States: ${STATES.join(', ')}.\nSort keys: ${SORTS.join(', ')}.`],
  run,
};

async function run(context: Context): Promise<Result> {
  refuseBareState(context);
  theseArguments(context, [], 'list');
  const states = statesOf(context.options.all('state'));
  const order = orderOf(context.options.text('sort') ?? 'created', context.options.has('reverse'));
  const shown = await writeJobs(context, { states, ...order }, LIST);
  if (shown.length > 0) return {};
  const none = `no ${states ? `${states.join(' or ')} ` : ''}jobs${narrowed(context)}`;
  const elsewhere = states?.includes('failed') && !states.includes('dead') ? await deadOnes(context) : null;
  if (elsewhere === null) context.terminal.hint(none);
  else context.terminal.remark(`${none}, but ${elsewhere}`);
  return {};
}

/** `list dead` is what many type first. */
function refuseBareState({ args }: Context): void {
  const state = STATES.find((known) => known === args[0]?.toLowerCase());
  if (state === undefined) return;
  throw new QueueError('usage', {
    problem: `'${args[0]}' is a state, and list takes it as an option`,
    hint: `queuectl list --state ${state}`,
  });
}

/** Who looks for what failed may mean what will not be tried again. */
const deadOnes = async (context: Context): Promise<string | null> =>
  context.options.has('search') ? null : deadHint(context, 'queuectl list --state dead');

const narrowed = ({ options }: Context): string =>
  `${options.has('queue') ? ` in queue ${options.text('queue')}` : ''}${options.has('search') ? ` with '${options.text('search')}'` : ''}`;

function statesOf(given: readonly string[]): JobState[] | undefined {
  const words = given.flatMap((list) => list.split(',')).map((word) => word.trim().toLowerCase());
  return words.length === 0 ? undefined : [...new Set(words.map(stateOf))];
}

function stateOf(word: string): JobState {
  const state = STATES.find((known) => known === word);
  if (state) return state;
  throw unknown('state', word, STATES);
}

/** What one would look for first: the newest, the longest, the most; but the next to run. */
const ASCENDING: readonly Sort[] = ['next_run'];

function orderOf(given: string, reversed: boolean): Pick<ListQuery, 'sort' | 'descending'> {
  const word = given.replace(/^-/, '').replaceAll('-', '_').toLowerCase();
  const sort = SORTS.find((known) => known === word);
  if (!sort) throw unknown('sort', given, SORTS);
  const isTurned = given.startsWith('-') !== reversed;
  return { sort, descending: ASCENDING.includes(sort) === isTurned };
}

function unknown(noun: string, word: string, known: readonly string[]): QueueError {
  const near = nearest(word, known);
  return new QueueError('usage', {
    problem: `unknown ${noun} '${word}': there are ${known.join(', ')}`,
    hint: near ? `did you mean '${near}'?` : '',
  });
}
