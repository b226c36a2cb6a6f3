// Actions on a queue. Running jobs always continue.

import { change } from '../../core/change.ts';
import { itemHref } from '../../core/router.ts';

const DONE = {
  pause: 'paused; running jobs continue',
  resume: 'resumed',
  drain: 'draining; new jobs are rejected',
} as const;

export const actOnQueue = (name: string, verb: keyof typeof DONE): Promise<unknown> =>
  change(`queue ${name} ${DONE[verb]}`, 'POST', `${itemHref('queues', name)}/${verb}`);

export const actOnAll = (verb: 'pause' | 'resume'): Promise<unknown> =>
  change(`all queues ${verb === 'pause' ? 'paused' : 'resumed'}`, 'POST', `/${verb}`);
