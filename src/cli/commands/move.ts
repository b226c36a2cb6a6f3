import { QueueError, usageError } from '../../errors/errors.ts';
import { BULK_OPTIONS, CHOOSING_OPTIONS, changeJobs } from '../jobs/change-jobs.ts';
import { type Command, type OptionSpecs, without } from '../command.ts';
import { FILTER_NOTE } from '../options/filtering.ts';

const CHOOSING = without(CHOOSING_OPTIONS, 'queue');

const OPTIONS = {
  queue: { kind: 'text', value: 'NAME', help: 'queue to move the jobs to' },
  ...CHOOSING,
  ...BULK_OPTIONS,
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'move',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'move waiting jobs to another queue',
  usage: ['ID... --queue NAME', '--filter FILTER | --state STATE | --tag TAG ... --queue NAME'],
  options: OPTIONS,
  examples: [
    ['queuectl move k3f9 --queue slow', 'move one job'],
    ["queuectl move --filter 'queue:mail tag:news' --queue slow", 'move all matching jobs that are waiting'],
    ['queuectl migrate --to postgres://host/db', 'migrate the whole queue to another database'],
  ],
  notes: ['--queue is the target queue. To select jobs by their current queue, use --filter queue:NAME.', FILTER_NOTE],
  completes: 'job',
  run: async (context) => {
    const name = context.options.text('queue');
    if (name === undefined) throw usageError('missing --queue NAME', 'queuectl move ID --queue NAME');
    const queue = await context.queue();
    const change = { kind: 'edit', edit: queue.readEdit({ queue: name }, context.cwd, 'local') } as const;
    return changeJobs(
      context,
      {
        name: 'move',
        change,
        action: (jobs) => `move ${jobs} to queue ${name}`,
        done: 'moved',
        isDestructive: false,
        choosing: Object.keys(CHOOSING),
      },
      (_, ids) => queue.change(ids, change).catch(inWordsOfMove),
      () => `moved to ${name}`,
    );
  },
};

/** Moving is an edit, but errors say move. */
function inWordsOfMove(error: unknown): never {
  if (!(error instanceof QueueError) || error.code !== 'wrong_state') throw error;
  throw new QueueError(error.code, { ...error.details, verb: 'move' }, { cause: error });
}
