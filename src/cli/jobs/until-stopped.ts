// Waits until cancelled jobs have stopped.

import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyQueue } from '../../queue/interface.ts';
import { rescueNow } from '../../worker/start-worker.ts';
import type { Context } from '../command.ts';
import { count } from '../render/kit/human.ts';

const LOOK_AGAIN_MS = 50;
const RESCUE_EVERY_MS = 1000;
/** Time that workers may need in addition to the grace period of their jobs. */
const MARGIN_MS = 10_000;

/** Also rescues jobs of dead workers, which otherwise might never stop. Returns the last state. */
export async function untilStopped<T>(
  { terminal }: Context,
  queue: AnyQueue,
  look: () => Promise<T>,
  countLeft: (seen: T) => number,
): Promise<T> {
  const deadline = performance.now() + (await queue.settings()).ms('kill_grace') + MARGIN_MS;
  let rescuedAt = performance.now();
  for (;;) {
    const seen = await look();
    const left = countLeft(seen);
    terminal.progress(left > 0 ? `${count(left)} still running` : '');
    if (left === 0 || performance.now() > deadline) return seen;
    if (queue.local && performance.now() - rescuedAt > RESCUE_EVERY_MS) {
      await rescueNow(queue.local);
      rescuedAt = performance.now();
    }
    await sleep(LOOK_AGAIN_MS);
  }
}
