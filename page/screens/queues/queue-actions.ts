// What can be done with a queue. Nothing that runs is touched by any of it.

import { send } from '../../core/api.ts';
import { reloadAll } from '../../core/resource.ts';
import { sayDone } from '../../core/toasts.ts';

export type QueueVerb = 'pause' | 'resume' | 'drain';

const DONE: Readonly<Record<QueueVerb, string>> = {
  pause: 'is paused: what runs goes on, nothing new starts',
  resume: 'is resumed',
  drain: 'takes no new jobs',
};

export async function actOnQueue(name: string, verb: QueueVerb): Promise<void> {
  await send('POST', `/queues/${encodeURIComponent(name)}/${verb}`);
  sayDone(`${name} ${DONE[verb]}`);
  reloadAll();
}

export async function actOnAll(verb: 'pause' | 'resume'): Promise<void> {
  await send('POST', `/${verb}`);
  sayDone(verb === 'pause' ? 'Everything is paused' : 'Jobs are started again');
  reloadAll();
}
