// Changes whole groups, with progress. Cancelling waits until running jobs have stopped.

import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyQueue } from '../../queue/interface.ts';
import { endedIn, sizeOf } from '../../report/group.ts';
import type { GroupRecord } from '../../store/store.ts';
import { rescueNow } from '../../worker/start-worker.ts';
import type { Context } from '../command.ts';
import { count } from '../render/kit/human.ts';

const LOOK_AGAIN_MS = 50;
const RESCUE_EVERY_MS = 1000;
/** Time that workers may need in addition to the grace period of their jobs. */
const MARGIN_MS = 10_000;
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
    const group = isToWait ? await untilNoneRuns(context, queue, name) : await queue.groups.get(name);
    const { processing, cancelled } = group.counts;
    const isDone = !isToWait || processing > 0 || unfinishedIn(group) === 0 || round === MOST_ROUNDS;
    if (isDone) return { cancelled: cancelled - before, ending: processing };
  }
}

export function progressOf({ terminal }: Context, done: string): (n: number, total: number) => void {
  return (n, total) => terminal.progress(n === total ? '' : `${count(n)} of ${count(total)} ${done}`);
}

/** Also rescues jobs of dead workers, which otherwise might never stop. */
async function untilNoneRuns({ terminal }: Context, queue: AnyQueue, name: string): Promise<GroupRecord> {
  const deadline = performance.now() + (await queue.settings()).ms('kill_grace') + MARGIN_MS;
  let rescuedAt = performance.now();
  for (;;) {
    const group = await queue.groups.get(name);
    const { processing } = group.counts;
    terminal.progress(processing > 0 ? `${count(processing)} still running` : '');
    if (processing === 0 || performance.now() > deadline) return group;
    if (queue.local && performance.now() - rescuedAt > RESCUE_EVERY_MS) {
      await rescueNow(queue.local);
      rescuedAt = performance.now();
    }
    await sleep(LOOK_AGAIN_MS);
  }
}
