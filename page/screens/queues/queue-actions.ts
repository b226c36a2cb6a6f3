// Actions on a queue. Running jobs always continue.

import { send } from '../../core/api.ts';
import { reloadAll } from '../../core/resource.ts';
import { sayDone } from '../../core/toasts.ts';

export type QueueVerb = 'pause' | 'resume' | 'drain';

const DONE: Readonly<Record<QueueVerb, string>> = {
  pause: 'paused; running jobs continue',
  resume: 'resumed',
  drain: 'draining; new jobs are rejected',
};

export async function actOnQueue(name: string, verb: QueueVerb): Promise<void> {
  await send('POST', `/queues/${encodeURIComponent(name)}/${verb}`);
  sayDone(`queue ${name} ${DONE[verb]}`);
  reloadAll();
}

export async function actOnAll(verb: 'pause' | 'resume'): Promise<void> {
  await send('POST', `/${verb}`);
  sayDone(verb === 'pause' ? 'all queues paused' : 'all queues resumed');
  reloadAll();
}
