// A hint when no failed jobs are found: those whose retries are used up are dead, not failed.

import type { Context } from '../command.ts';
import type { FILTER_OPTIONS } from '../options/filtering.ts';
import { count } from '../render/kit/human.ts';

/** '26 dead: COMMAND', of the queue that was asked for; null when there are none. */
export async function deadHint(
  context: Context<Pick<typeof FILTER_OPTIONS, 'queue'>>,
  command: string,
): Promise<string | null> {
  const name = context.options.text('queue');
  const dead = await (await context.queue()).countOf({ states: ['dead'], queue: name });
  if (!dead) return null;
  return `${count(dead)} dead; see ${command}${name === undefined ? '' : ` --queue ${name}`}`;
}
