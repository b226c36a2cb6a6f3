// Changes jobs over HTTP. All named jobs are checked before the first change, so that a mistake changes nothing. But
// each change is a separate request.

import { setTimeout as sleep } from 'node:timers/promises';
import { QueueError } from '../errors/errors.ts';
import { filterText } from '../filter/filter-text.ts';
import { type Change, CHANGEABLE } from '../job/change.ts';
import type { Rerun } from '../job/flow/rerun.ts';
import { readEdit } from '../job/input/edit-input.ts';
import { checkState } from '../job/check-state.ts';
import type { Job, JobState } from '../job/job.ts';
import { isRunning } from '../job/state-sets.ts';
import { checkHeld } from '../job/waiting-change.ts';
import { Rejections } from '../job/isolation/rejections.ts';
import type { Answer, Body } from '../library/caller.ts';
import type { AnyQueue, JobChanges } from '../queue/interface.ts';
import type { JobFilter, PruneQuery } from '../store/store.ts';
import { jobFrom } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';
import { jobsOf } from './remote-jobs.ts';
import { editToWire } from './to-wire.ts';

const LOOK_AGAIN_MS = 100;
/** Maximum number of IDs per request. */
const IDS_AT_ONCE = 10_000;
const ALL = 1_000_000;

export function remoteChanges(caller: RemoteCaller, findAll: AnyQueue['findAll']): JobChanges {
  const planned = new WeakMap<Rerun, Body<'rerunJobs'>>();
  const changeEach = async (
    ids: readonly string[],
    change: Change,
    states: readonly JobState[] = CHANGEABLE[change.kind],
  ): Promise<Job[]> => {
    const jobs = await findAll(ids);
    for (const job of jobs) {
      checkState(job.id, job.state, states, change.kind);
      if (change.kind === 'release') checkHeld(job, change);
    }
    const changed: Job[] = [];
    for (const { id } of jobs) changed.push(jobFrom(await changeOne(caller, id, change)));
    return changed;
  };
  return {
    retry: (ids, states) => changeEach(ids, { kind: 'retry' }, states),
    cancel: (ids) => changeEach(ids, { kind: 'cancel' }),
    change: (ids, change) => changeEach(ids, change),
    remove: async (ids) => {
      const jobs = await findAll(ids);
      for (const { id, state } of jobs) checkState(id, state, CHANGEABLE.delete, 'delete');
      for (const { id } of jobs) await caller.call('deleteJob', { id });
      return jobs;
    },
    /** The server does not have this machine's working directory, so paths must be absolute. */
    readEdit: (said, _, zone) => readEdit(said, { now: Date.now(), cwd: null, zone }),
    idsToChange: async (filter, change) => {
      const body = { ...wishOf(change), filter: textOf(filter), dry_run: true, sample: ALL };
      const plan = await caller.call('changeJobs', {}, body);
      return 'sample' in plan ? plan.sample : [];
    },
    changeMany: async (ids, filter, change, { onProgress = () => {}, isStopped = () => false } = {}) => {
      const rejections = new Rejections();
      const running = change.kind === 'cancel' ? await runningAmong(caller, ids) : [];
      let jobs = 0;
      for (let at = 0; at < ids.length && !isStopped(); at += IDS_AT_ONCE) {
        const some = ids.slice(at, at + IDS_AT_ONCE);
        const body = { ...wishOf(change), ids: some, filter: textOf(filter) };
        const begun = await caller.call('changeJobs', {}, body);
        const before = jobs;
        const ended = await untilDone(caller, begun, isStopped, (done, changed) =>
          onProgress(at + done, before + changed),
        );
        jobs += ended.changed;
        for (const { reason, jobs: rejected } of ended.rejections) rejections.add(reason, rejected);
      }
      return { jobs, ending: running, rejections: rejections.all };
    },
    planRerun: async (targets, mode) => {
      const plan = await caller.call('rerunJobs', {}, { targets, mode, dry_run: true });
      planned.set(plan, { targets, mode });
      return plan;
    },
    /** The server plans again. */
    rerun: async (plan) => {
      await caller.call('rerunJobs', {}, planned.get(plan));
    },
    prunable: async (query) => {
      const plan = await caller.call('pruneJobs', {}, { ...pruneWish(query), dry_run: true });
      return 'count' in plan ? plan.count : 0;
    },
    prune: async (query, { onProgress = () => {}, isStopped = () => false } = {}) => {
      const begun = await caller.call('pruneJobs', {}, pruneWish(query));
      return (await untilDone(caller, begun, isStopped, onProgress)).changed;
    },
  };
}

const OPERATION_OF = {
  retry: 'retryJob',
  cancel: 'cancelJob',
  release: 'releaseJob',
  'run-now': 'runJobNow',
} as const;

async function changeOne(caller: RemoteCaller, id: string, change: Change): Promise<Answer<'editJob'>> {
  if (change.kind === 'edit') return caller.call('editJob', { id }, editToWire(change.edit));
  if (change.kind === 'hold') return caller.call('holdJob', { id }, { reason: change.reason });
  if (change.kind === 'delete') throw new Error('remove() deletes');
  return caller.call(OPERATION_OF[change.kind], { id });
}

/** Sends an age instead of a time, because the clocks may differ. */
const pruneWish = ({ states, queue, keep, finishedBefore }: PruneQuery): Body<'pruneJobs'> => ({
  states: states as Body<'pruneJobs'>['states'],
  queue,
  keep,
  ...(finishedBefore !== undefined && { older_than_seconds: (Date.now() - finishedBefore) / 1000 }),
});

async function untilDone(
  caller: RemoteCaller,
  begun: { readonly bulk: string } | object,
  isStopped: () => boolean,
  onProgress: (done: number, changed: number) => void,
): Promise<Answer<'getBulk'>> {
  const id = 'bulk' in begun ? begun.bulk : '';
  for (let isAsked = false; ; await sleep(LOOK_AGAIN_MS)) {
    const bulk = await caller.call('getBulk', { id });
    const { state, done, changed, error } = bulk;
    onProgress(done, changed);
    if (state === 'failed') throw new QueueError('server_rejected', { problem: error ?? '', hint: '' });
    if (state !== 'running') return bulk;
    if (isStopped() && !isAsked) await caller.call('stopBulk', { id });
    isAsked ||= isStopped();
  }
}

/** Returns the jobs that must be stopped first. */
async function runningAmong(caller: RemoteCaller, ids: readonly string[]): Promise<string[]> {
  const running = await jobsOf(caller, ids, { states: CHANGEABLE.cancel.filter(isRunning) });
  return running.map(({ id }) => id);
}

/** The server rejects an empty filter, so all jobs need an explicit one. */
const textOf = (filter: JobFilter): string => filterText(filter, Date.now()) || 'newer:5000w';

function wishOf(change: Change): Body<'changeJobs'> {
  if (change.kind === 'hold') return { action: 'hold', reason: change.reason };
  if (change.kind === 'edit') return { action: 'edit', edit: editToWire(change.edit) };
  return { action: change.kind };
}
