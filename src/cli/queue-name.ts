// The name of a queue as an argument: checked, so that no queue of an impossible name is set up.

import { QueueError } from '../errors/errors.ts';
import { isValidId } from '../job/id.ts';
import { EVERY_QUEUE } from '../job/flow/concurrency.ts';
import type { Context } from './command.ts';
import { theseArguments } from './required.ts';

export function queueName(context: Context, command: string): string {
  const [name = ''] = theseArguments(context, ['name'], command);
  if (isValidId(name)) return name;
  throw new QueueError('usage', {
    problem: `'${name}' cannot be the name of a queue`,
    hint: 'queuectl queue list shows the queues there are',
  });
}

/** Without a name, all of them. */
export const queueNameOrAll = (context: Context, command: string): string =>
  context.args.length === 0 ? EVERY_QUEUE : queueName(context, command);
