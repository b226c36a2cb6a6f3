// Checks of the queue: the store, the workers, and jobs without workers.

import { QueueError } from '../../../errors/errors.ts';
import { holdsBack } from '../../../worker/holds-back.ts';
import type { Queue } from '../../../queue/queue.ts';
import { startCommandFor } from '../../waiting/waiting.ts';
import { fullVersion } from '../../../system/build.ts';
import { countWorkers, otherVersions, replaceHint, unservedOf, versionText } from '../../workers.ts';
import { type Check, fail, ok, warn } from './verdict.ts';

export async function checkStore(queue: Queue): Promise<Check> {
  const problems = await queue.check().catch((error: Error) => error);
  if (problems instanceof QueueError) return fail('store', problems.message, problems.hint);
  if (problems instanceof Error) return fail('store', problems.message, ASK_FOR_HELP);
  if (problems.length === 0) return ok('store', 'intact, and its counters are correct');
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return fail('store', `${problems[0]}${more}`, ASK_FOR_HELP);
}

const ASK_FOR_HELP = 'stop the workers, then restore a backup or report the problem; nothing was changed';

export async function checkWorkers(queue: Queue): Promise<Check> {
  const workers = await queue.workers();
  const troubled = workers.find(({ notice, state }) => notice !== null && state !== 'lost');
  if (troubled?.notice && holdsBack(troubled.notice)) return ok('workers', `worker ${troubled.id} ${troubled.notice}`);
  if (troubled)
    return warn('workers', `worker ${troubled.id} is degraded: ${troubled.notice}`, LIST_WORKERS, LIST_WORKERS);
  const { active, busy, lost } = countWorkers(workers);
  if (lost > 0) {
    const ids = workers.filter(({ state }) => state === 'lost').map(({ id }) => id);
    return warn('workers', `lost workers: ${ids.join(', ')}`, takenBack(active > 0), LIST_WORKERS);
  }
  return ok('workers', active === 0 ? 'none running' : `${active} running, ${busy} busy`);
}

/** A worker keeps the program that it started with. */
export async function checkVersions(queue: Queue, own = fullVersion()): Promise<Check> {
  const workers = otherVersions(await queue.workers(), own);
  if (workers.length === 0) return ok('versions', 'no worker runs another version');
  const found = [...new Set(workers.map(versionText))].join(', ');
  const message = `this program is ${own}, but ${workers.length} of the workers run ${found}`;
  return warn('versions', message, replaceHint(workers), LIST_WORKERS);
}

const LIST_WORKERS = 'queuectl worker list';

const takenBack = (isAnyRunning: boolean): string =>
  isAnyRunning ? 'other workers take over their jobs within seconds' : 'take over their jobs: queuectl worker start';

const LOOK_AT_MOST = 10_000;

/** No rescue finds a processing job whose worker has no record. */
export async function checkRunning(queue: Queue): Promise<Check> {
  const workers = new Map((await queue.workers()).map((worker) => [worker.id, worker.state]));
  const jobs = await queue.list({
    states: ['processing'],
    sort: 'created',
    descending: false,
    limit: LOOK_AT_MOST,
  });
  const orphans = jobs.filter(({ lockedBy }) => !workers.has(lockedBy ?? ''));
  if (orphans.length > 0) {
    const ids = orphans.slice(0, 3).map(({ id }) => id);
    return fail(
      'running',
      `processing without a worker: ${ids.join(', ')}`,
      `show the job: queuectl show ${ids[0]}; please report this problem`,
    );
  }
  const stuck = jobs.filter(({ lockedBy }) => workers.get(lockedBy ?? '') === 'lost');
  if (stuck.length > 0) {
    const isAnyRunning = [...workers.values()].some((state) => state !== 'lost');
    return warn(
      'running',
      `${stuck.length} of ${jobs.length} processing jobs belong to a lost worker`,
      takenBack(isAnyRunning),
    );
  }
  return ok('running', jobs.length === 0 ? 'no jobs are running' : `${jobs.length} processing, each on a known worker`);
}

export async function checkQueues(queue: Queue): Promise<Check> {
  const [{ queues }, workers] = [await queue.overview(), await queue.workers()];
  const unserved = unservedOf(queues, workers);
  if (unserved.length === 0) return ok('queues', 'every queue with waiting jobs has a worker');
  const isAnyRunning = countWorkers(workers).active > 0;
  const message = isAnyRunning
    ? `jobs are waiting, but no worker serves ${unserved.join(', ')}`
    : 'jobs are waiting, but no worker is running';
  const command = startCommandFor(unserved, isAnyRunning);
  return warn('queues', message, command, command);
}
