// queuectl prune: removes finished jobs by age or count.

import { QueueError } from '../../errors/errors.ts';
import { FINAL_STATES, type JobState } from '../../job/job.ts';
import type { Command, Context, Result } from '../command.ts';
import { YES } from '../confirm.ts';
import { removeMatching } from '../jobs/removal.ts';
import { stateMeant } from '../../text/synonyms/states.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'prune',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'remove finished jobs by age or count, with their logs',
  usage: ['[--older-than AGE] [--keep N] [--state STATE]... [--yes]'],
  options: {
    'older-than': { kind: 'age', value: 'AGE', means: 'finished before: 7d, 12h, yesterday, 2026-11-18' },
    keep: { kind: 'integer', value: 'N', means: 'keep the newest N of each state' },
    state: {
      kind: 'text',
      value: 'STATE',
      many: true,
      choices: FINAL_STATES,
      means: 'completed and cancelled unless said',
    },
    queue: { kind: 'text', short: 'q', value: 'NAME', means: 'only of this queue' },
    'dry-run': { kind: 'flag', means: 'print how many jobs would be removed, and remove none' },
    ...YES,
  },
  examples: [
    ['queuectl prune --older-than 7d', 'completed and cancelled jobs of more than a week ago'],
    ['queuectl prune --keep 1000 --yes', 'all but the newest thousand, without asking'],
    ['queuectl config set retention_completed 7d', 'let the workers do it from now on'],
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  exactArguments(context, [], 'prune');
  const olderThan = context.options.number('older-than');
  const keep = context.options.number('keep');
  if (keep !== undefined && keep < 0)
    throw new QueueError('usage', { problem: '--keep cannot be negative', hint: '' });
  const queue = await context.queue();
  return removeMatching(context, {
    states: chosenStates(context.options.all('state')),
    queue: context.options.text('queue'),
    keep,
    finishedBefore: olderThan === undefined ? undefined : queue.now() - olderThan * 1000,
  });
}

function chosenStates(given: readonly string[]): readonly JobState[] {
  const words = given.flatMap((text) => text.split(','));
  const wrong = words.find((word) => !(FINAL_STATES as readonly string[]).includes(word));
  if (wrong !== undefined) {
    const problem = `'${wrong}' is not a state of a finished job`;
    const meant = stateMeant(wrong);
    const near = meant === undefined ? '' : `did you mean '${meant}'? `;
    throw new QueueError('usage', { problem, hint: `${near}choose from ${FINAL_STATES.join(', ')}` });
  }
  return words.length > 0 ? (words as JobState[]) : ['completed', 'cancelled'];
}
