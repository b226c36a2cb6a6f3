// Changes whole groups, with progress. Cancelling waits until running jobs have stopped.

import type { AnyQueue } from '../../queue/interface.ts';
import { endedIn, sizeOf } from '../../report/group.ts';
import type { GroupRecord } from '../../store/store.ts';
import type { Context } from '../command.ts';
import { untilStopped } from '../jobs/until-stopped.ts';
import { count } from '../render/kit/human.ts';

/** A running job may add jobs to its group until it stops, so cancelling is repeated. */
const MOST_ROUNDS = 5;

export const unfinishedIn = ({ counts }: GroupRecord): number => sizeOf(counts) - endedIn(counts);

export interface Cancelled {
  readonly cancelled: number;
  /** Jobs that are still stopping. */
  readonly ending: number;
}

export async function cancelGroup(
  context: Context,
  queue: AnyQueue,
  name: string,
  isToWait: boolean,
): Promise<Cancelled> {
  const before = (await queue.groups.get(name)).counts.cancelled;
  for (let round = 1; ; round++) {
    await queue.groups.change(name, 'cancel', progressOf(context, 'cancelled'));
    const look = () => queue.groups.get(name);
    const group = isToWait ? await untilStopped(context, queue, look, ({ counts }) => counts.processing) : await look();
    const { processing, cancelled } = group.counts;
    const isDone = !isToWait || processing > 0 || unfinishedIn(group) === 0 || round === MOST_ROUNDS;
    if (isDone) return { cancelled: cancelled - before, ending: processing };
  }
}

export function progressOf({ terminal }: Context, done: string): (n: number, total: number) => void {
  return (n, total) => terminal.progress(n === total ? '' : `${count(n)} of ${count(total)} ${done}`);
}
