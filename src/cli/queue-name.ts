// The name of a queue as an argument: checked, so that no queue of an impossible name is set up.

import { QueueError } from '../errors/errors.ts';
import { isValidId } from '../job/id.ts';
import { EVERY_QUEUE } from '../job/flow/concurrency.ts';
import { DEFAULT_QUEUE } from '../job/job.ts';
import type { AnyQueue } from '../queue/interface.ts';
import { nearest } from '../text/nearest.ts';
import type { Context } from './command.ts';
import { exactArguments } from './required.ts';

export function queueName(context: Context, command: string): string {
  const [name = ''] = exactArguments(context, ['name'], command);
  if (isValidId(name)) return name;
  throw new QueueError('usage', {
    problem: `invalid queue name '${name}'`,
    hint: 'list the queues: queuectl queue list',
  });
}

/** Without a name, all of them. */
export const queueNameOrAll = (context: Context, command: string): string =>
  context.args.length === 0 ? EVERY_QUEUE : queueName(context, command);

/**
 * Names the queue that may be meant by one that nothing is known of. Call it before the change, which makes the queue known. The
 * change is made all the same: a queue may be paused before its first job comes.
 */
export async function remarkIfMistyped({ terminal }: Context, queue: AnyQueue, name: string): Promise<void> {
  if (name === EVERY_QUEUE) return;
  const [views, workers] = [await (await queue.reports()).queues(), await queue.workers()];
  const known = new Set([
    DEFAULT_QUEUE,
    ...views.map((view) => view.queue),
    ...workers.flatMap(({ queues }) => queues ?? []),
  ]);
  const near = known.has(name) ? null : nearest(name, known);
  if (near !== null) terminal.remark(`queue '${name}' has no jobs; did you mean '${near}'?`);
}
