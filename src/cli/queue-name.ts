// Queue names as arguments. An invalid name is rejected before a queue is created for it.

import { usageError } from '../errors/errors.ts';
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
  throw usageError(`invalid queue name '${name}'`, 'list the queues: queuectl queue list');
}

/** Returns the name, or all queues if none is given. */
export const queueNameOrAll = (context: Context, command: string): string =>
  context.args.length === 0 ? EVERY_QUEUE : queueName(context, command);

/**
 * Suggests an existing queue if the given one is unknown. Called before the change, which creates the queue. It does
 * not prevent the change: users may pause a queue before its first job.
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
