// Check of obstacles other than workers: unprocessed endings, forgotten held jobs, and pauses.

import { EVERY_QUEUE } from '../../../job/flow/concurrency.ts';
import type { Queue } from '../../../queue/queue.ts';
import { countWorkers } from '../../workers.ts';
import { type Check, ok, warn } from './verdict.ts';

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

export async function checkFlow(queue: Queue): Promise<Check> {
  const { held, untoldSince } = await queue.waits.lingering(queue.now() - WEEK_MS);
  const isLate = untoldSince !== null && untoldSince < queue.now() - MINUTE_MS;
  if (isLate && countWorkers(await queue.workers()).active > 0) {
    const message = 'dependencies finished more than a minute ago, but their dependents are still blocked';
    return warn(
      'flow',
      message,
      'check the workers: queuectl worker list; if the problem persists, report it',
      'queuectl worker list',
    );
  }
  const paused = await pausedQueues(queue);
  const remarks = [
    ...(paused.length > 0 ? [`paused: ${paused.map(nameOf).join(', ')}`] : []),
    ...(held > 0 ? [`held for more than a week: ${held}`] : []),
  ];
  if (remarks.length === 0) return ok('flow', 'no paused queues and no long-held jobs');
  const [first] = paused.map(resumeOf);
  return first === undefined
    ? ok(
        'flow',
        remarks.join('; '),
        'list held jobs: queuectl list held:yes; release one: queuectl release ID',
        LIST_HELD,
      )
    : ok('flow', remarks.join('; '), `resume: ${paused.map(resumeOf).join('; ')}`, first);
}

async function pausedQueues(queue: Queue): Promise<string[]> {
  const limits = await queue.queues.limits();
  return limits.filter(({ pausedAt }) => pausedAt !== null).map(({ queue }) => queue);
}

const LIST_HELD = 'queuectl list held:yes';

const nameOf = (queue: string): string => (queue === EVERY_QUEUE ? 'all queues' : queue);

/** Resuming without a name does not resume queues that were paused by name. */
const resumeOf = (queue: string): string =>
  queue === EVERY_QUEUE ? 'queuectl queue resume' : `queuectl queue resume ${queue}`;
