import { usageError } from '../../errors/errors.ts';
import { FINAL_STATES, type JobState } from '../../job/job.ts';
import type { Command, Context, OptionSpecs, Result } from '../command.ts';
import { inRange } from '../options/checks.ts';
import { confirm, YES } from '../confirm.ts';
import type { PruneQuery } from '../../store/store.ts';
import { INTERRUPTED, interruptOf } from '../interrupt.ts';
import { count, many } from '../render/kit/human.ts';
import { stateMeant } from '../../text/synonyms/states.ts';
import { exactArguments } from '../required.ts';

const OPTIONS = {
  'older-than': {
    kind: 'age',
    value: 'AGE',
    help: 'delete jobs that finished before: 7d, 12h, yesterday, 2026-11-18',
  },
  keep: { kind: 'integer', value: 'N', help: 'keep the newest N jobs of each state' },
  state: {
    kind: 'text',
    value: 'STATE',
    many: true,
    choices: FINAL_STATES,
    help: 'states to delete (default: completed and cancelled)',
  },
  queue: { kind: 'text', short: 'q', value: 'NAME', help: 'delete only jobs in this queue' },
  'dry-run': { kind: 'flag', help: 'print how many jobs would be deleted, without deleting any' },
  ...YES,
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'prune',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'delete finished jobs by age or count, with their logs',
  usage: ['[--older-than AGE] [--keep N] [--state STATE]... [--yes]'],
  options: OPTIONS,
  examples: [
    ['queuectl prune --older-than 7d', 'delete completed and cancelled jobs that are older than a week'],
    ['queuectl prune --keep 1000 --yes', 'delete all but the newest 1000 jobs of each state, without asking'],
    ['queuectl config set retention_completed 7d', 'let workers delete completed jobs after a week, automatically'],
  ],
  run: async (context) => {
    exactArguments(context, [], 'prune');
    const olderThan = context.options.number('older-than');
    const keep = context.options.number('keep');
    if (keep !== undefined) inRange('keep', keep, 0);
    const queue = await context.queue();
    return removeMatching(context, {
      states: chosenStates(context.options.all('state')),
      queue: context.options.text('queue'),
      keep,
      finishedBefore: olderThan === undefined ? undefined : queue.now() - olderThan * 1000,
    });
  },
};

function chosenStates(given: readonly string[]): readonly JobState[] {
  const words = given.flatMap((text) => text.split(','));
  const wrong = words.find((word) => !(FINAL_STATES as readonly string[]).includes(word));
  if (wrong !== undefined) {
    const problem = `'${wrong}' is not a finished state`;
    const meant = stateMeant(wrong);
    const near = meant === undefined ? '' : `did you mean '${meant}'? `;
    throw usageError(problem, `${near}use one of ${FINAL_STATES.join(', ')}`);
  }
  return words.length > 0 ? (words as JobState[]) : ['completed', 'cancelled'];
}

async function removeMatching(context: Context<typeof OPTIONS>, query: PruneQuery): Promise<Result> {
  const queue = await context.queue();
  const matching = await queue.prunable(query);
  if (context.options.has('dry-run'))
    return {
      data: { would_change: matching },
      text: `would delete ${many(matching, 'job')} with their logs`,
    };
  if (matching === 0) return { data: { removed: 0 }, text: 'nothing to delete' };
  if (!(await confirm(context, `delete ${many(matching, 'job')} with their logs`))) {
    return { data: { removed: 0 }, text: 'nothing was deleted', exitCode: 1 };
  }
  const interrupt = interruptOf(context);
  const removed = await queue.prune(query, {
    onProgress: (done) => context.terminal.progress(`${count(done)} of ${count(matching)} deleted`),
    isStopped: () => interrupt.aborted,
  });
  context.terminal.progress('');
  if (interrupt.aborted) return stopped(removed, matching);
  return { data: { removed }, text: `${many(removed, 'job')} deleted` };
}

const stopped = (removed: number, total: number): Result => ({
  data: { removed, stopped: true },
  text: `stopped: ${count(removed)} of ${many(total, 'job')} deleted`,
  exitCode: INTERRUPTED,
});
