// What stands where a store would be, in a queue that is used through a server. Whatever is asked of it was not made to be
// asked of a server, and says so.

import { QueueError } from '../errors/errors.ts';
import type { Store } from '../store/store.ts';

const WHERE_THE_QUEUE_IS = 'do it where the queue is: without --server and QUEUECTL_SERVER, or with --db';

/** `instead`: what else to do, where there is more to say. */
export const notOverHttp = (command: string, instead = WHERE_THE_QUEUE_IS): QueueError =>
  new QueueError('not_over_http', { command, hint: instead });

/** `command`: what somebody is doing, as typed. */
export function noStore(id: string, command: string): Store {
  const known: Partial<Store> = { id, spansHosts: true, now: () => Date.now() };
  return new Proxy(known as Store, {
    get: (store, name) => {
      if (name in store || typeof name === 'symbol') return Reflect.get(store, name);
      throw notOverHttp(command);
    },
  });
}
