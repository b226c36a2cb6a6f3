// Checks whether the store responds in time. Concurrent checks share one request to the store. The endpoint requires no
// authentication, so the result contains an error code but no path.

import { QueueError } from '../../errors/errors.ts';
import type { Queue } from '../../queue/queue.ts';

const WITHIN_MS = 1000;

/** Returns null if the server is ready, or an error code of docs/reference/errors.md. */
export type Readiness = () => Promise<string | null>;

export function readinessOf(queue: Pick<Queue, 'changeMark'>, withinMs = WITHIN_MS): Readiness {
  let asking: Promise<string | null> | null = null;
  const ask = (): Promise<string | null> => {
    asking ??= queue
      .changeMark()
      .then(() => null, reasonOf)
      .finally(() => {
        asking = null;
      });
    return asking;
  };
  return () => within(withinMs, ask());
}

const reasonOf = (error: unknown): string => (error instanceof QueueError ? error.code : 'internal');

function within(ms: number, answer: Promise<string | null>): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('store_slow'), ms);
    void answer.then((reason) => {
      clearTimeout(timer);
      resolve(reason);
    });
  });
}
