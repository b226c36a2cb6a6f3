// Records what a command changed and who ran it in the audit log. Only words that cannot contain a secret are recorded.

import { actorOn } from '../access/actor.ts';
import type { Queue } from '../queue/queue.ts';
import type { Command, Context, OptionSpecs, Result } from './command.ts';

/** Options to record: their values contain no secrets. */
const TELLING = [
  ...['filter', 'state', 'queue', 'group', 'tag', 'name', 'all', 'failed', 'force', 'cancel', 'reason', 'older-than', 'keep'],
  ...['concurrency', 'rate', 'burst', 'cron', 'every', 'at', 'tz', 'host', 'all-hosts', 'role', 'expires', 'unset'],
]; // biome-ignore format: lists of words

const LONGEST = 500;

/** If recording fails, prints a message: the change itself was applied. */
export async function recordCommand(
  command: Command,
  context: Context<OptionSpecs>,
  queue: Queue,
  result: Result,
): Promise<void> {
  if (context.options.has('dry-run') || didNothing(result)) return;
  const detail = detailOf(command, context, result);
  const entry = {
    at: queue.now(),
    actor: actorOn(context.environment),
    via: 'cli',
    action: command.name,
    target: targetOf(command, context),
    detail: Object.keys(detail).length > 0 ? detail : null,
  } as const;
  try {
    await queue.activity.record(entry);
  } catch (error) {
    context.terminal.say(`change applied, but not recorded in the audit log: ${(error as Error).message}`);
  }
}

/** The user did not confirm, or nothing matched. */
function didNothing({ data, exitCode = 0 }: Result): boolean {
  if (exitCode === 1) return true;
  if (Array.isArray(data)) return data.length === 0;
  const values = Object.values(data ?? {});
  return values.length > 0 && values.every((value) => value === 0);
}

function targetOf({ recorded }: Command, { args, exact }: Context): string | null {
  const words = recorded?.about === 'first argument' ? args.slice(0, 1) : [...args, ...(exact ?? [])];
  return words.join(' ').slice(0, LONGEST) || null;
}

function detailOf({ recorded }: Command, context: Context, { data }: Result): Record<string, unknown> {
  const { args, options, environment } = context;
  return {
    ...options.pick(...TELLING),
    ...recorded?.detail?.(args),
    ...numbersIn(data),
    ...(environment.QUEUECTL_JOB_ID && { from_job: environment.QUEUECTL_JOB_ID }),
  };
}

/** The numbers of changed jobs. */
const numbersIn = (data: unknown): Record<string, number> =>
  typeof data === 'object' && data !== null && !Array.isArray(data)
    ? Object.fromEntries(
        Object.entries(data).filter(
          (entry): entry is [string, number] => COUNTS.includes(entry[0]) && typeof entry[1] === 'number',
        ),
      )
    : {};

const COUNTS = [
  'cancelled',
  'retried',
  'deleted',
  'removed',
  'held',
  'released',
  'edited',
  'moved',
  'jobs',
  'imported',
];
