// A hint if no failed jobs are found: jobs without retries left are dead, not failed.

import type { Context } from '../command.ts';
import type { FILTER_OPTIONS } from '../options/filtering.ts';
import { count } from '../render/kit/human.ts';

/** Returns '26 dead; see COMMAND' for the selected queue, or null if there are none. */
export async function deadHint(
  context: Context<Pick<typeof FILTER_OPTIONS, 'queue'>>,
  command: string,
): Promise<string | null> {
  const name = context.options.text('queue');
  const dead = await (await context.queue()).countOf({ states: ['dead'], queue: name });
  if (!dead) return null;
  return `${count(dead)} dead; see ${command}${name === undefined ? '' : ` --queue ${name}`}`;
}
