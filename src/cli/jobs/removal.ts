// Deletes many finished jobs: counts them, asks for confirmation, and deletes them in batches with progress. Can be
// stopped.

import type { PruneQuery } from '../../store/store.ts';
import type { Context, Result } from '../command.ts';
import { type BULK_OPTIONS, INTERRUPTED } from './change-jobs.ts';
import { confirm } from '../confirm.ts';
import { count, many } from '../render/kit/human.ts';

export async function removeMatching(
  context: Context<typeof BULK_OPTIONS>,
  query: PruneQuery,
): Promise<Result> {
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
  let isStopped = false;
  context.onInterrupt(() => {
    isStopped = true;
  });
  const removed = await queue.prune(query, {
    onProgress: (done) => context.terminal.progress(`${count(done)} of ${count(matching)} deleted`),
    isStopped: () => isStopped,
  });
  context.terminal.progress('');
  if (isStopped) return stopped(removed, matching);
  return { data: { removed }, text: `${many(removed, 'job')} deleted` };
}

const stopped = (removed: number, total: number): Result => ({
  data: { removed, stopped: true },
  text: `stopped: ${count(removed)} of ${many(total, 'job')} deleted`,
  exitCode: INTERRUPTED,
});
