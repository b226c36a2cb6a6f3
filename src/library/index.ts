// 'queuectl': a queue in a file or a PostgreSQL database, used from this process.

import { Queue as Facade } from '../queue/queue.ts';
import { version } from '../system/version.ts';
import { Caller } from './caller.ts';
import { inProcess } from './in-process.ts';
import type { LocalQueue, OpenOptions } from './interface.ts';
import { queueOver } from './queue-over.ts';

export { QueueError } from '../errors/errors.ts';
export type * from './data.ts';
export type * from './interface.ts';

/** Creates a missing queue. */
export async function openQueue(options: OpenOptions = {}): Promise<LocalQueue> {
  const facade = await Facade.open({ db: options.db, cwd: options.cwd ?? process.cwd() });
  const within = inProcess(facade, version);
  const workers = new Set<{ stop(): Promise<void> }>();
  const close = async (): Promise<void> => {
    await Promise.all([...workers].map((worker) => worker.stop()));
    await within.close();
    await facade.close();
  };
  return {
    ...queueOver(new Caller(within), { streamPatienceMs: 0, close }),
    work: async (wanted = {}) => {
      const { work } = await import('./work.ts');
      const handle = await work(options.db, wanted);
      workers.add(handle);
      return handle;
    },
  };
}
