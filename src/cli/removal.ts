// Removing many finished jobs: say how many, ask, then batch by batch with progress.

import type { PruneQuery } from '../store/store.ts';
import type { Context, Result } from './command.ts';
import { confirm } from './confirm.ts';
import { count, many } from './render/human.ts';

export async function removeMatching(context: Context, query: PruneQuery): Promise<Result> {
  const queue = await context.queue();
  const matching = await queue.prunable(query);
  if (matching === 0) return { data: { removed: 0 }, text: 'nothing to remove' };
  if (!(await confirm(context, `remove ${many(matching, 'job')} with their logs`))) {
    return { data: { removed: 0 }, text: 'nothing was removed', exitCode: 1 };
  }
  const removed = await queue.prune(query, (done) =>
    context.terminal.progress(`${count(done)} of ${count(matching)} removed`),
  );
  context.terminal.progress('');
  return { data: { removed }, text: `${many(removed, 'job')} removed` };
}
